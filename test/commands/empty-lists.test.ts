/** CSV and TSV of lists without items: the header stands all the same, so that the next program knows the columns. */
import {describe, expect, test} from 'vitest';
import {at, itemsAt} from '../../src/lib/json/path.js';
import {isList} from '../../src/lib/cli/endpoint/spec.js';
import {endpointCommands, type SpecifiedCommand} from '../endpoint-commands.js';
import {rowOf} from '../endpoints/table.js';
import {pixelfed, runCommand} from '../run-command.js';

const lists = (await endpointCommands()).filter(({spec: {endpoint}}) => isList(endpoint));

/** The command line of a list that has no items. */
function lineFor({command, spec}: SpecifiedCommand, ...flags: readonly string[]): string[] {
  const {endpoint} = spec;
  const items = (endpoint.rows ?? []).reduceRight<unknown>((inner, name) => ({[name]: inner}), []);
  pixelfed()
    .intercept(({length}) => length > 0, endpoint.method)
    .times(endpoint.paging?.by === 'number' ? endpoint.paging.maxEmpty : 1)
    .reply(200, JSON.stringify(items));
  // Without a pause, an empty list is read once only.
  return [...command.split(' '), '--max-wait', '0', ...Object.keys(spec.arguments ?? {}).map(() => '77'), ...flags];
}

/** The members of the documented items, which the header has to name: private data of people is not among them. */
function documented({command, spec: {endpoint}}: SpecifiedCommand): string[] {
  const first = at(itemsAt(rowOf(command).answer, endpoint.rows ?? []) ?? [], [0]).value;
  const names = typeof first === 'object' && first !== null ? Object.keys(first) : [];
  return names.filter((name) => endpoint.private?.includes(name) !== true);
}

describe.each(lists)('$command without items', (listed) => {
  const modes = listed.spec.endpoint.paging !== undefined ? [[], ['--all']] : [[]];

  test.each(modes)('an empty list has its header in CSV and TSV (%s)', async (...flags) => {
    const csv = await runCommand(lineFor(listed, '-o', 'csv', ...flags));
    const tsv = await runCommand(lineFor(listed, '-o', 'tsv', ...flags));
    expect(csv).toMatchObject({stdout: expect.stringMatching(/^[a-z_,]+\r\n$/), stderr: '', status: 0});
    expect(csv.stdout.trimEnd().split(',')).toEqual(expect.arrayContaining(documented(listed)));
    expect(tsv.stdout).toBe(csv.stdout.replaceAll(',', '\t').replace('\r', ''));
  });

  test('an empty list has the header that --fields names, and none with --no-header', async () => {
    expect((await runCommand(lineFor(listed, '-o', 'csv', '--fields', 'id,note'))).stdout).toBe('id,note\r\n');
    expect((await runCommand(lineFor(listed, '-o', 'csv', '--no-header'))).stdout).toBe('');
  });
});

test('there are lists', () => expect(lists.length).toBeGreaterThan(8));
