import {expect, test} from 'vitest';
import {endpoints} from '../../src/lib/api/index.js';
import {endpointCommands} from '../endpoint-commands.js';
import {rowOf, table} from './table.js';

/** `dm list sends list conversations` for every command that sends an endpoint's request. */
async function commandsAsBuilt(): Promise<string[]> {
  return (await endpointCommands()).map(({command, described}) => `${command} sends ${described.endpoint.name}`).sort();
}

test('every record has one row, and every row a record of its own', () => {
  expect(new Set(table.map(({endpoint}) => endpoint))).toEqual(new Set(endpoints));
  expect(table).toHaveLength(endpoints.length);
  expect(new Set(endpoints.map(({name}) => name)).size).toBe(endpoints.length);
});

test('every record has its command, and every endpoint command a record of the table', async () => {
  const documented = table.map(({command, endpoint}) => `${command} sends ${endpoint.name}`).sort();
  expect(await commandsAsBuilt()).toEqual(documented);
});

test('what a record says takes a write back is a record', () => {
  const names = endpoints.map(({name}) => name);
  const undoing = endpoints.flatMap(({undoneBy}) => undoneBy ?? []);
  expect(undoing.filter((name) => !names.includes(name))).toEqual([]);
  expect(undoing.length).toBeGreaterThan(0);
});

/** Section 4, endpoint by endpoint, and what servers want of what is not in it. */
const scopes = {
  read: `dm unread-count, dm list, dm get, dm messages, blocks list, mutes list, filters list-legacy, filters list,
    filters get, notifications list`,
  write: `dm start, dm send, dm delete-message, dm read, dm accept, dm mute, dm unmute, dm hide, dm unhide, dm leave,
    filters create, filters update, filters delete, report, blocks add, blocks remove, mutes add, mutes remove`,
  push: 'push state, push compare, push update, push disable',
};

test('every record has the scope that the description marks, or that servers want', () => {
  const marked = Object.entries(scopes).flatMap(([scope, commands]) => commands.split(/,\s+/).map((command) => `${command}: ${scope}`));
  const recorded = table.flatMap(({command, endpoint: {scope}}) => (scope === null ? [] : [`${command}: ${scope}`]));
  expect(recorded.sort()).toEqual(marked.sort());
});

test.each(['dm send', 'thread send', 'thread send-media', 'filters create', 'report'])('%s would act twice', (command) => {
  expect(rowOf(command).endpoint.repeat).toBe('never');
});
