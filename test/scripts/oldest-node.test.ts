/** The tests run on the newest Node, and notice what the oldest one does not have. */
import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import semver from 'semver';
import {expect, test} from 'vitest';
import manifest from '../../package.json' with {type: 'json'};
import {forgetNewer, oldestNode} from '../oldest-node.js';

const root = join(import.meta.dirname, '../..');

test('the oldest Node is the one that package.json allows', () => {
  expect(oldestNode.version).toBe(semver.minVersion(manifest.engines.node)?.version);
});

test('what newer ones have is not there', () => {
  expect(forgetNewer()).toEqual([]);
  expect(['DisposableStack', 'Temporal', 'URLPattern'].filter((name) => name in globalThis)).toEqual([]);
  expect(['try' in Promise, 'escape' in RegExp, 'toBase64' in Uint8Array.prototype]).not.toContain(true);
  expect(Symbol.asyncDispose in (async function* () {})()).toBe(false);
});

test('a module of Node is asked for nothing that the oldest one does not export', () => {
  const asked = globSync(['src/**/*.ts', 'bin/*.js'], {cwd: root}).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/^import (?!type )(?:\w+, )?\{([^}]+)\} from 'node:([^']+)'/gm)].flatMap(
      ([, names = '', module = '']) =>
        names
          .split(',')
          .map((name) => name.trim())
          .filter((name) => name !== '' && !name.startsWith('type '))
          .map((name) => ({file, module, name: name.split(' as ')[0] ?? name})),
    ),
  );
  expect(asked.length).toBeGreaterThan(100);
  expect(asked.filter(({module, name}) => !oldestNode.exportsOf(module).includes(name))).toEqual([]);
});
