/** What the spam filter held back, worked on with the built program. */
import {array, assert as check, asyncProperty, integer, record, boolean} from 'fast-check';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {run} from './in-process.js';
import {newFolder} from './program.js';
import {serverThat} from './server.js';

const pageSize = 6;

interface Entry {
  readonly id: number;
  /** When it was held back: entries of one second come in the order of their ids. */
  readonly second: number;
  readonly isGone: boolean;
}

/** As servers list them: the newest first, and null for those whose posts are gone. */
function pageOf(entries: readonly Entry[], target: string): string {
  const page = Number(new URL(target, 'http://server.invalid').searchParams.get('page') ?? 1);
  const listed = entries.toSorted((one, other) => other.second - one.second || one.id - other.id);
  return JSON.stringify(listed.slice((page - 1) * pageSize, page * pageSize).map(({id, isGone}) => (isGone ? null : {id})));
}

test('entries are followed oldest first and once each, whatever second they are of and whichever are gone', async () => {
  const steps = array(record({later: integer({min: 0, max: 1}), isGone: boolean()}), {minLength: 1, maxLength: 40});
  await check(
    asyncProperty(steps, integer({min: 0, max: 39}), async (made, known) => {
      let second = 0;
      const entries = made.map(({later, isGone}, index): Entry => ({id: index + 1, second: (second += later), isGone}));
      const expected = entries.flatMap(({id, isGone}) => (isGone || id <= known ? [] : id));
      if (expected.length === 0) return;
      await using server = await serverThat(({target}) => ({text: pageOf(entries, target)}));
      const folder = newFolder();
      writeFileSync(join(folder, 'last'), `${known}\n`);
      const follow = `autospam list --follow --since-file last --max ${expected.length} -o ndjson --jq .id`.split(' ');
      const {stdout, stderr, status} = await run(follow, {env: server.env, folder});
      expect({ids: (stdout.match(/\d+/g) ?? []).map(Number), stderr, status}).toEqual({ids: expected, stderr: '', status: 0});
      expect(readFileSync(join(folder, 'last'), 'utf8')).toBe(`${expected.at(-1)}\n`);
    }),
    {numRuns: 8},
  );
});

test.each([' delete-account', 'delete-account ', 'delete-post\n', 'Delete-Account', 'delete', 'aprove', ''])(
  'the action %j is refused, whatever a server would make of it',
  async (action) => {
    await using server = await serverThat(() => ({text: '{"status":"success"}'}));
    const folder = newFolder();
    writeFileSync(join(folder, 'body.json'), JSON.stringify({action}));
    for (const given of [[`--action=${action}`], ['--input', 'body.json']]) {
      const ended = await run(['autospam', 'handle', '7', ...given, '--yes', '--allow-deletions', '1'], {env: server.env, folder});
      expect(ended).toMatchObject({status: 2, stdout: ''});
      expect(ended.stderr).toMatch(/known (are|values:) dismiss, dismiss-all, approve, approve-all, delete-post, delete-account/);
    }
    expect(server.exchanges).toEqual([]);
  },
);
