import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {difference} from '../../scripts/installed.js';

const elsewhere = {version: '1.0.0', optional: true, os: ['none'], cpu: ['none']};
const here = {version: '1.0.0', optional: true, os: [process.platform], cpu: [process.arch]};
const installed = {
  'node_modules/node': {version: '26.0.0', integrity: 'n'},
  'node_modules/hono': {version: '4.0.0', integrity: 'h'},
};
const locked = {'': {}, ...installed, 'node_modules/elsewhere': elsewhere};

let project: string;

function write(file: string, content: unknown, mode?: number): void {
  mkdirSync(dirname(join(project, file)), {recursive: true});
  writeFileSync(join(project, file), typeof content === 'string' ? content : JSON.stringify(content), {mode});
}

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'pixelctl installed '));
  write('package.json', {});
  write('package-lock.json', {packages: locked});
  write('node_modules/.package-lock.json', {packages: installed});
  write('node_modules/hono/package.json', {version: '4.0.0'});
  write('node_modules/node/package.json', {version: '26.0.0'});
  write('node_modules/node/bin/node', '#!/bin/sh\necho v26.0.0\n', 0o755);
});
afterEach(() => rmSync(project, {recursive: true}));

test('nothing differs', () => {
  expect(difference(project)).toBeUndefined();
});

test.each<[string, string, () => void]>([
  ['an install that was cut short', 'nothing is', () => rmSync(join(project, 'node_modules/.package-lock.json'))],
  ['an install that was cut short while writing', 'nothing is', () => write('node_modules/.package-lock.json', '{"pack')],
  ['a package that is gone', 'node_modules/hono is not', () => rmSync(join(project, 'node_modules/hono'), {recursive: true})],
  ['a new package', 'node_modules/zod is not', () => write('package-lock.json', {packages: {...locked, 'node_modules/zod': {}}})],
  ['an optional package of this platform', 'node_modules/here is not', () => write('package-lock.json', {packages: {...locked, 'node_modules/here': here}})],
  [
    'another version',
    'node_modules/hono is another than 4.1.0',
    () => write('package-lock.json', {packages: {...locked, 'node_modules/hono': {version: '4.1.0', integrity: 'h'}}}),
  ],
  ['a package too many', 'node_modules/elsewhere is not in the lockfile', () => {
    write('package-lock.json', {packages: installed});
    write('node_modules/.package-lock.json', {packages: {...installed, 'node_modules/elsewhere': elsewhere}});
  }],
  ['no binary of Node', 'Node is not', () => rmSync(join(project, 'node_modules/node/bin/node'))],
  ['a binary of another Node', 'Node is not', () => write('node_modules/node/bin/node', '#!/bin/sh\necho v20.0.0\n')],
])('%s', (_, expected, change) => {
  change();
  expect(difference(project)).toBe(expected);
});
