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
function pagesOf(entries: readonly Entry[]): ({readonly id: number} | null)[][] {
  const listed = entries.toSorted((one, other) => other.second - one.second || one.id - other.id);
  return Array.from({length: Math.ceil(listed.length / pageSize)}, (_, page) =>
    listed.slice(page * pageSize, (page + 1) * pageSize).map(({id, isGone}) => (isGone ? null : {id})),
  );
}

test('entries are followed oldest first and once each, whatever second they are of and whichever are gone; more than a page is warned of', async () => {
  const steps = array(record({later: integer({min: 0, max: 1}), isGone: boolean()}), {minLength: 1, maxLength: 40});
  await check(
    asyncProperty(steps, integer({min: -1, max: 20}), async (made, until) => {
      let second = 0;
      const entries = made.map(({later, isGone}, index): Entry => ({id: index + 1, second: (second += later), isGone}));
      // A second was over when it was looked at: within one, a new entry could be behind a page of known ones.
      const known = entries.findLast((entry) => entry.second <= until)?.id ?? 0;
      const expected = entries.flatMap(({id, isGone}) => (isGone || id <= known ? [] : id));
      if (expected.length === 0) return;
      const pages = pagesOf(entries);
      const pageAt = (target: string) => pages[Number(new URL(target, 'http://server.invalid').searchParams.get('page') ?? 1) - 1] ?? [];
      await using server = await serverThat(({target}) => ({text: JSON.stringify(pageAt(target))}));
      const isPastOnePage = pages.filter((page) => page.some((entry) => entry !== null && entry.id > known)).length > 1;
      const folder = newFolder();
      writeFileSync(join(folder, 'last'), `${known}\n`);
      const follow = `autospam list --follow --since-file last --max ${expected.length} -o ndjson --jq .id`.split(' ');
      const {stdout, stderr, status} = await run(follow, {env: server.env, folder});
      expect({ids: (stdout.match(/\d+/g) ?? []).map(Number), status}).toEqual({ids: expected, status: 0});
      if (isPastOnePage)
        expect(stderr).toMatch(/^Warning: \d+ items or more are new: some of those after .* may be missing; --all lists all of them\n$/);
      else expect(stderr).toBe('');
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
