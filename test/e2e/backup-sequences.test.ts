/** Any sequence of nights: what was the latest once stays, until more is accepted. */
import {cpSync, existsSync, readFileSync, renameSync, rmSync, truncateSync} from 'node:fs';
import {join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {changingSandbox} from './archives.js';
import {datesOf, latestOf, listsIn, newBackup} from './backups.js';
import {run} from './in-process.js';

/** What happens before a backup, or with it. */
type Night = 'accepts' | 'cannot read' | 'damages the latest' | 'gains' | 'is killed' | 'loses all' | 'loses one' | 'shows all again';

const nights: readonly Night[] = [
  'accepts',
  'cannot read',
  'damages the latest',
  'gains',
  'is killed',
  'loses all',
  'loses one',
  'shows all again',
];

/** What the lists of a date block; undefined where there are none, or where that list could not be read and there was none to take over. */
function blockedIn(backup: string, name: string): string[] | undefined {
  const file = join(backup, 'lists', name, 'domain_blocks.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).toSorted() : undefined;
}

const newestOf = (backup: string): string => datesOf(backup).at(-1) ?? '';

test('after any sequence of nights the latest lists are those that lost little or were accepted, and no name is used twice', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...nights), {minLength: 3, maxLength: 9}), async (sequence) => {
      await using server = await changingSandbox({seed: {accounts: [{acct: 'ana'}]}});
      const to = newBackup();
      const lists = join(to, 'lists');
      let shown = Array.from({length: 6}, (_, index) => `d${index}.example`);
      let [next, isFailing] = [6, false];
      server.change = ({method, target}) => {
        if (method !== 'GET' || !target.startsWith('/api/v1/domain_blocks')) return undefined;
        return isFailing ? {status: 503, text: '{}'} : {text: JSON.stringify(shown)};
      };
      const backUp = (...flags: readonly string[]) =>
        run(['backup', '--to', to, '--no-messages', '--retries', '0', '--json', ...flags], {env: server.env});
      expect(await backUp()).toMatchObject({status: 0});
      const used = new Set(datesOf(to));
      let before = shown;
      for (const night of sequence) {
        isFailing = night === 'cannot read';
        if (night === 'gains') shown = [...shown, ...Array.from({length: 3}, () => `d${(next += 1)}.example`)];
        if (night === 'loses one') shown = shown.slice(1);
        if (night === 'loses all') [before, shown] = [shown.length > 0 ? shown : before, []];
        if (night === 'shows all again') shown = shown.length > 0 ? shown : before;
        if (night === 'is killed') cpSync(join(lists, newestOf(to)), join(lists, '.2099-01-01T000000Z.temporary'), {recursive: true});
        const damaged = listsIn(to);
        // Where the latest lists were put aside, there may be none but those that had lost much.
        const isDamaged = night === 'damages the latest' && latestOf(to) !== '';
        if (isDamaged) truncateSync(join(damaged, 'policy.yml'), 9);
        const newest = blockedIn(to, newestOf(to));
        const isAccepted = night === 'accepts' && newestOf(to).endsWith('.shrunk');
        const isPassedOver = newestOf(to).endsWith('.shrunk') && !isAccepted;
        const latest = isAccepted ? newest : blockedIn(to, latestOf(to));
        const {status, stderr} = await backUp(...(night === 'accepts' ? ['--accept-loss'] : []), '--yes');
        const names = datesOf(to);
        const fresh = names.filter((name) => !used.has(name) && !used.has(`${name}.shrunk`));
        for (const name of fresh) expect([...used].every((one) => one < name)).toBe(true);
        for (const name of names) used.add(name);
        if (isDamaged) {
          expect({night, status, stderr}).toEqual({
            night,
            status: 9,
            stderr: expect.stringContaining('policy.yml: it differs from what was written'),
          });
          expect(blockedIn(to, newestOf(to))).toEqual(shown.toSorted());
          renameSync(damaged, `${damaged}.damaged`);
          continue;
        }
        const isLoss = !isFailing && latest !== undefined && latest.length > 0 && shown.every((one) => !latest.includes(one));
        // What the newest lists have is not written again, whichever they are.
        const isThere = isPassedOver && isDeepStrictEqual(newest, shown.toSorted());
        const isShrunk = isLoss || newestOf(to).endsWith('.shrunk');
        expect({night, status, stderr}).toEqual({night, status: isFailing ? 11 : isShrunk ? 10 : 0, stderr: expect.any(String)});
        expect(blockedIn(to, latestOf(to))).toEqual(isFailing || isLoss || isThere ? latest : shown.toSorted());
        if (!isFailing) expect(blockedIn(to, newestOf(to))).toEqual(shown.toSorted());
      }
      rmSync(to, {recursive: true});
    }),
    {numRuns: 5, examples: [[['loses all', 'loses one', 'damages the latest', 'accepts']]]},
  );
});
