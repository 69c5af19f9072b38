/** Any sequence of nights: what was accepted once stays, until more is accepted. */
import {readFileSync, renameSync, rmSync, truncateSync} from 'node:fs';
import {join} from 'node:path';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {changingSandbox} from './archives.js';
import {generationsOf, latestOf, listsIn, newBackup} from './backups.js';
import {run} from './in-process.js';

/** What happens before a backup, or with it. */
type Night =
  | 'accepts'
  | 'cannot read'
  | 'damaged'
  | 'forgets the latest'
  | 'gains'
  | 'is killed'
  | 'keeps little'
  | 'loses all'
  | 'loses one';

const nights: readonly Night[] = [
  'accepts',
  'cannot read',
  'damaged',
  'forgets the latest',
  'gains',
  'is killed',
  'keeps little',
  'loses all',
  'loses one',
];

/** What the lists in the folder of a generation block. */
const blockedIn = (folder: string): string[] => JSON.parse(readFileSync(join(folder, 'domain_blocks.json'), 'utf8')).toSorted();

test('after any sequence of nights the latest lists are those that were accepted last, and no name is used twice', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...nights), {minLength: 3, maxLength: 9}), async (sequence) => {
      await using server = await changingSandbox({seed: {accounts: [{acct: 'ana'}]}});
      const [to, lists] = [newBackup(), () => join(to, 'lists')];
      let shown = Array.from({length: 6}, (_, index) => `d${index}.example`);
      let [next, isFailing] = [6, false];
      server.change = ({method, target}) => {
        if (method !== 'GET' || !target.startsWith('/api/v1/domain_blocks')) return undefined;
        return isFailing ? {status: 503, text: '{}'} : {text: JSON.stringify(shown)};
      };
      const backUp = (...flags: readonly string[]) =>
        run(['backup', '--to', to, '--no-messages', '--retries', '0', '--json', ...flags], {env: server.env});
      expect(await backUp()).toMatchObject({status: 0});
      let accepted = shown.toSorted();
      let isDamaged = false;
      const used = new Set(generationsOf(to));
      for (const night of sequence) {
        isFailing = night === 'cannot read';
        if (night === 'gains') shown = [...shown, ...Array.from({length: 3}, () => `d${(next += 1)}.example`)];
        if (night === 'loses one') shown = shown.slice(1);
        if (night === 'loses all') shown = [];
        if (night === 'damaged' && !isDamaged) {
          truncateSync(join(listsIn(to), 'policy.yml'), 9);
          isDamaged = true;
        }
        if (night === 'forgets the latest' && !isDamaged && latestOf(to) === generationsOf(to).at(-1)) rmSync(join(lists(), 'latest'));
        if (night === 'is killed') {
          const [newest = ''] = generationsOf(to).slice(-1);
          // Killed while it removed or wrote one that does not count.
          if (!isDamaged && newest !== latestOf(to)) renameSync(join(lists(), newest), join(lists(), `.${newest}.temporary`));
        }
        const flags = [...(night === 'accepts' ? ['--accept-loss'] : []), ...(night === 'keeps little' ? ['--keep', '0'] : [])];
        const {status, stderr} = await backUp(...flags, '--yes');
        const isLoss = !isFailing && accepted.length > 0 && shown.every((one) => !accepted.includes(one));
        const isHeld = (isDamaged || isLoss) && night !== 'accepts';
        const expected = isFailing ? 11 : isHeld ? (isDamaged ? 9 : 10) : 0;
        expect({night, status, stderr}).toEqual({night, status: expected, stderr: expect.any(String)});
        if (!isHeld && !isFailing) accepted = shown.toSorted();
        if (night === 'accepts') isDamaged = false;
        const names = generationsOf(to);
        const fresh = names.filter((name) => !used.has(name));
        for (const name of fresh) expect([...used].every((one) => one < name)).toBe(true);
        for (const name of fresh) used.add(name);
        expect(blockedIn(listsIn(to))).toEqual(accepted);
        if (!isFailing) expect(blockedIn(join(lists(), names.at(-1) ?? ''))).toEqual(shown.toSorted());
      }
    }),
    {numRuns: 8},
  );
});
