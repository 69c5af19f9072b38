import {expect, test} from 'vitest';
import {isWrite} from '../../src/lib/api/endpoint.js';
import {commands as manifest} from '../manifest.js';
import {table} from '../endpoints/table.js';
import {runCommand} from '../run-command.js';

interface Listed {
  readonly command: string;
  readonly arguments: readonly {readonly name: string}[];
  readonly flags: readonly {readonly name: string}[];
  readonly sends: readonly string[];
  readonly scopes: readonly string[];
  readonly writes: boolean;
  readonly asks: boolean;
  readonly repeatable: boolean;
  readonly exit_statuses: readonly {readonly status: number; readonly code: string | null}[];
}

const listed = async (): Promise<readonly Listed[]> => JSON.parse((await runCommand(['commands', '--json'])).stdout).commands;

test('every command is listed with its arguments and its own flags', async () => {
  const found = await listed();
  expect(found.map(({command}) => command)).toEqual(manifest.map(({id}) => `pixelctl ${id.replaceAll(':', ' ')}`));
  for (const [index, {args, flags}] of manifest.entries()) {
    expect(found[index]?.arguments.map(({name}) => name)).toEqual(Object.keys(args));
    expect(found[index]?.flags.map(({name}) => name)).toEqual(
      Object.entries(flags).flatMap(([name, {hidden, helpGroup}]) => (hidden !== true && helpGroup !== 'GLOBAL' ? `--${name}` : [])),
    );
  }
});

test('--fields takes every field of the list', async () => {
  const [first = {}] = await listed();
  const {stdout, stderr} = await runCommand(['commands', '--json', '--fields', Object.keys(first).join(',')]);
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)[0]).toEqual(first);
});

test.each(table)('$command is listed with what it sends', async ({command, endpoint, scope}) => {
  const found = (await listed()).find((one) => one.command === `pixelctl ${command}`);
  expect(found?.sends).toContain(`${endpoint.method} ${endpoint.path}`);
  expect(found).toMatchObject({scopes: scope === undefined ? [] : [scope]});
  expect(found?.writes).toBe(isWrite(endpoint));
});

test.each([
  ['plan', {writes: false, asks: false, repeatable: true}, 10],
  ['apply', {writes: true, asks: true, repeatable: true}, 10],
  ['undo', {writes: true, asks: true, repeatable: false}, 11],
  ['api', {writes: true, asks: false, repeatable: false}, 3],
  ['dm send', {writes: true, asks: false, repeatable: false}, 5],
  ['config', {writes: false, asks: false, repeatable: true}, 7],
])('%s is listed with what it does', async (name, does, status) => {
  const found = (await listed()).find(({command}) => command === `pixelctl ${name}`);
  expect(found).toMatchObject(does);
  expect(found?.exit_statuses).toContainEqual({status, code: expect.any(String)});
});

test('a command that sends nothing does not end with what servers say', async () => {
  const found = (await listed()).find(({command}) => command === 'pixelctl commands');
  expect(found?.exit_statuses.map(({status}) => status)).toEqual([0, 1, 2, 9, 130, 143]);
});
