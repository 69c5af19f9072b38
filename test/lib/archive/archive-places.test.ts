/** Where things are in an archive, whatever ids servers send. */
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {ConversationPlace, damagedLogsIn, nameOf, nextDamagedLog} from '../../../src/lib/archive/archive-places.js';

test.each(['1', '0', '17', '9'.repeat(64)])('the id %s names its folder', (id) => {
  expect(nameOf(id)).toBe(id);
  expect(new ConversationPlace('archive', id).folder).toBe(join('archive', id));
});

test.each(['', '..', '../x', 'a/b', '1a', 'a1', '-1', '1.5', '9'.repeat(65), '１'])('the id %j names it by its hash', (id) => {
  expect(nameOf(id)).toMatch(/^[\da-f]{64}$/);
  expect(nameOf(id)).not.toBe(nameOf(`${id}x`));
});

test('damaged logs are put aside under the next number, and are read in the order of these', () => {
  const names = ['log.damaged-10.ndjson', 'log.damaged-2.ndjson', 'log.ndjson', 'log.damaged-x.ndjson'];
  expect(damagedLogsIn(names)).toEqual(['log.damaged-2.ndjson', 'log.damaged-10.ndjson']);
  expect([nextDamagedLog([]), nextDamagedLog(names)]).toEqual(['log.damaged-1.ndjson', 'log.damaged-11.ndjson']);
});
