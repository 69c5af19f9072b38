import {runInNewContext} from 'node:vm';
import {expect, test} from 'vitest';
import {withLateRequires} from '../../scripts/late-requires.js';

const modules: Readonly<Record<string, unknown>> = {
  './url': {parse: (text: string) => text.split('/'), Url: class {}},
  './client': class {
    name = 'client';
  },
  'node:events': {once: 'once', on: 'on'},
};

/** Runs a module with late requires: what it had required when it was loaded, what its function returned, and what it had required then. */
function run(code: string) {
  const required: string[] = [];
  const require = (name: string) => {
    required.push(name);
    return modules[name];
  };
  const made: () => unknown = runInNewContext(`(() => {${withLateRequires(code)}\n})()`, {require, wrap: (value: unknown) => ({value})});
  const first = [...required];
  return {first, value: made(), required};
}

test.each([
  ['a member', `const url = require('./url')\nreturn () => url.parse('a/b')`, ['a', 'b'], './url'],
  ['a constructor', `const Client = require('./client');\nreturn () => new Client().name`, 'client', './client'],
  ['a constructor in a module', `const url = require('./url');\nreturn () => new url.Url() instanceof url.Url`, true, './url'],
  ['a base class', `const Client = require('./client')\nreturn () => new (class extends Client {})().name`, 'client', './client'],
  [
    'a property of its name',
    `const url = require('./url')\nreturn () => Object.keys({url, other: {url: 1}.url})`,
    ['url', 'other'],
    './url',
  ],
  ['names of a module of Node', `const {once, on: add} = require('node:events')\nreturn () => [once, add]`, ['once', 'on'], 'node:events'],
  ['what a function makes of it', `const url = wrap(require("./url"));\nreturn () => typeof url.value.parse`, 'function', './url'],
])('%s is required when it is used, once', (_, code, value, name) => {
  const made = run(code);
  expect(made.first).toEqual([]);
  expect(made.value).toEqual(value);
  expect(made.required).toEqual([name]);
});

test.each([
  ['assigned to', `let url = require('./url');\nurl = 1;\nreturn () => url`, 1],
  ['the parameter of a function', `const url = require('./url');\nreturn () => ((url) => url)(2)`, 2],
  ['in a destructured parameter', `const url = require('./url');\nreturn () => (({url = 3}) => url)({})`, 3],
  ['declared again in a block', `const url = require('./url');\nreturn () => { const url = 4; return url; }`, 4],
])('a name that is %s is left', (_, code, value) => {
  const made = run(code);
  expect(made.first).toEqual(['./url']);
  expect(made.value).toBe(value);
});

test('other declarations are left', () => {
  const code = `const a = 1, b = require('./url');\nconst {parse} = require('./url');\nconst c = require(name);`;
  expect(withLateRequires(code)).toBe(code);
});
