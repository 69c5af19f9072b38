/** Any sequence of nights: what was the latest once stays, until more is accepted. */
import {cpSync, readFileSync, renameSync, rmSync, truncateSync} from 'node:fs';
import {join} from 'node:path';
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

/** What the lists in a folder block. */
const blockedIn = (folder: string): string[] => JSON.parse(readFileSync(join(folder, 'domain_blocks.json'), 'utf8')).toSorted();

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
        if (night === 'is killed')
          cpSync(join(lists, datesOf(to).at(-1) ?? ''), join(lists, '.2099-01-01T000000Z.temporary'), {recursive: true});
        const isDamaged = night === 'damages the latest';
        const damaged = listsIn(to);
        if (isDamaged) truncateSync(join(damaged, 'policy.yml'), 9);
        const latest = blockedIn(listsIn(to));
        const accepted =
          night === 'accepts' && datesOf(to).at(-1)?.endsWith('.shrunk') === true
            ? blockedIn(join(lists, datesOf(to).at(-1) ?? ''))
            : latest;
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
          renameSync(damaged, `${damaged}.damaged`);
          if (latestOf(to) === '') expect(await backUp()).toMatchObject({status: 0});
          continue;
        }
        const isLoss = !isFailing && accepted.length > 0 && shown.every((one) => !accepted.includes(one));
        expect({night, status, stderr}).toEqual({night, status: isFailing ? 11 : isLoss ? 10 : 0, stderr: expect.any(String)});
        expect(blockedIn(listsIn(to))).toEqual(isFailing || isLoss ? accepted : shown.toSorted());
        if (!isFailing) expect(blockedIn(join(lists, names.at(-1) ?? ''))).toEqual(shown.toSorted());
      }
      rmSync(to, {recursive: true});
    }),
    {numRuns: 8},
  );
});
