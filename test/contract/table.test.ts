import * as z from 'zod/mini';
import {expect, test} from 'vitest';
import type {Fields} from '../../src/lib/api/endpoint.js';
import {endpoints} from '../../src/lib/api/endpoints.js';
import {endpointCommands} from '../endpoint-commands.js';
import {rowOf, table} from '../endpoints/table.js';

/** `dm list sends list conversations` for every command that sends an endpoint's request. */
async function commandsAsBuilt(): Promise<string[]> {
  const sent = (await endpointCommands()).flatMap(({command, spec: {endpoint, instead}}) =>
    [endpoint, instead?.endpoint].flatMap((record) => (record === undefined ? [] : `${command} sends ${record.name}`)),
  );
  return [...new Set(sent)].sort();
}

test('every record has exactly one row', () => {
  expect(new Set(table.map(({endpoint}) => endpoint))).toEqual(new Set(endpoints));
  expect(table).toHaveLength(endpoints.length);
  expect(new Set(endpoints.map(({name}) => name)).size).toBe(endpoints.length);
});

test('every record has a command, and every endpoint command a record', async () => {
  const documented = table.map(({command, endpoint}) => `${command} sends ${endpoint.name}`).sort();
  expect(await commandsAsBuilt()).toEqual(documented);
});

test('every record has the documented scope', () => {
  expect(table.map(({command, endpoint}) => [command, endpoint.scope])).toEqual(table.map(({command, scope = null}) => [command, scope]));
});

test('every record requires the documented fields', () => {
  const named = (fields: Fields) => Object.entries(fields).flatMap(([name, schema]) => (schema instanceof z.ZodMiniOptional ? [] : [name]));
  expect(table.map(({command, endpoint: {query, body}}) => [command, named(query), named(body)])).toEqual(
    table.map(({command, required: {query = [], body = []} = {}}) => [command, query, body]),
  );
});

test.each(['dm send', 'thread send', 'thread send-media', 'filters create', 'report'])('%s is not safe to repeat', (command) => {
  expect(rowOf(command).endpoint.repeat).toBe('never');
});
