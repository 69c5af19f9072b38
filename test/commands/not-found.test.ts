/** What commands advise where a server does not find what they name: the command that lists such objects, or none. */
import nock from 'nock';
import {beforeEach, describe, expect, test} from 'vitest';
import {kinds} from '../../src/lib/api/kinds.js';
import {factsOf} from '../../src/lib/api/schema.js';
import {isList} from '../../src/lib/cli/endpoint/spec.js';
import {endpointCommands} from '../endpoint-commands.js';
import {table} from '../endpoints/table.js';
import {runCommand, server} from '../run-command.js';

const commands = await endpointCommands();

/** The kinds whose names a command takes. */
const taken = commands.flatMap(({command, spec: {endpoint}}) => {
  const fields = [endpoint.pathFields, endpoint.query, endpoint.body].flatMap((part) => Object.values(part)).map(factsOf);
  const named = fields.flatMap((facts) => facts?.of ?? (facts?.names === undefined ? [] : kinds[facts.names]));
  const args = table.find((row) => row.command === command)?.on2026.args ?? [];
  return named.length === 0 ? [] : [{command, args, named}];
});

/** The commands that list objects of a kind, without being given anything. */
const listsOf = (one: string): string[] =>
  commands.flatMap(({command, spec: {endpoint, arguments: names = {}}}) =>
    isList(endpoint) && endpoint.items?.one === one && Object.keys(names).length === 0 ? command : [],
  );

async function advised(args: readonly string[]): Promise<string[]> {
  const {stdout, stderr} = await runCommand(args);
  return [...`${stdout}${stderr}`.matchAll(/check the id with `pixelctl ([^`]+)`/g)].map(([, words = '']) => words);
}

beforeEach(() => {
  for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
    nock(server).persist().intercept(/./, method).optionally().reply(404, {error: 'Record not found'});
});

describe('a hint after a 404 names a command that lists objects of the kind', () => {
  test.each(taken)('or none, for $command', async ({args, named}) => {
    const lists = named.flatMap(({one}) => listsOf(one));
    for (const words of await advised(args)) expect(lists).toContain(words);
  });

  test.each([
    ['filters get 5', ['filters list']],
    ['filters delete 5 --yes', ['filters list']],
    ['admin domain-blocks get 5', ['admin domain-blocks list']],
    ['blocks remove 5', ['blocks list']],
    ['dm get 5', ['dm list']],
    ['reports handle 5 --action ignore --yes', ['reports list']],
    // Of what nothing lists, or several commands do.
    ['blocks add 5', []],
    ['posts moderate 5 --action unlist --yes', []],
    ['thread get 5', []],
  ])('%s: %j', async (line, expected) => {
    expect(await advised(line.split(' '))).toEqual(expected);
  });
});
