/** Shows the generations of backups. */
import {membersOf} from '../../api/schema.js';
import {fieldsOf, type Column, type ListView} from '../../api/view.js';
import {type BackupFacts, type History, historyOf} from '../../backup/history.js';
import {keysOf, parts} from '../../backup/parts.js';
import {refuseNoBackup} from '../../backup/restored.js';
import type {AccountFailure} from '../../client/failure.js';
import {itemsAt} from '../../json/path.js';
import {withCommas} from '../../json/text.js';
import {accountItem} from '../../print/print.js';
import type {Accounts} from '../accounts.js';
import {folderOf} from '../archive/run.js';
import {printResult} from '../print-result.js';
import {type Printing} from '../sink.js';
import type {Session} from '../session.js';

/** `300 (+3, -1)` */
function listIn(row: unknown, key: string): string {
  const found = itemsAt(row, ['lists'])
    ?.map(membersOf)
    .find(({list}) => list === key);
  if (found === undefined) return '';
  const changes = (
    [
      ['+', found['added']],
      ['-', found['removed']],
      ['~', found['changed']],
    ] as const
  ).flatMap(([sign, count]) => (Number(count) > 0 ? `${sign}${withCommas(Number(count))}` : []));
  return `${withCommas(Number(found['items']))}${changes.length > 0 ? ` (${changes.join(', ')})` : ''}`;
}

function statusIn(row: unknown): string {
  const {latest, accepted} = membersOf(row);
  return [
    ...(itemsAt(row, ['damage'])?.length ? ['damaged'] : []),
    ...(latest === true ? ['latest'] : accepted === false ? ['not accepted'] : []),
  ].join(', ');
}

const allKeys = parts.flatMap(keysOf);

/** A column for each list. */
const viewWith = (keys: readonly string[]): ListView => ({
  kind: 'list',
  columns: [
    {header: 'generation', path: 'generation', key: true},
    {header: 'status', path: 'latest', text: statusIn, none: '', stays: true},
    ...keys.map((key): Column => ({header: key, path: '', text: (row) => listIn(row, key), priority: 2})),
  ],
  fields: fieldsOf<BackupFacts>({generation: true, at: true, latest: true, accepted: true, lists: true, damage: true}),
  empty: 'There are no saved lists yet: the next backup saves some.',
});

export const generationsView = viewWith(allKeys);

/** A column for each list that one of them has. */
function viewOf(shown: readonly BackupFacts[]): ListView {
  const there = new Set<string>(shown.flatMap(({lists}) => lists.map(({list}) => list)));
  return viewWith(allKeys.filter((key) => there.has(key)));
}

/** @throws Failure `usage` for a folder that is no backup; as {@link historyOf} */
async function historyIn(folder: string): Promise<History> {
  await refuseNoBackup(folder);
  return historyOf(folder);
}

/**
 * Shows those in a folder, or in the folders that accounts have in it. Nothing is asked of a server.
 * @param accounts undefined: the folder is that of one account
 * @throws Failure `usage` for a folder that is no backup; `local` where something is damaged; `partial` where it is with some of several
 */
export async function listGenerations(
  to: string,
  accounts: Accounts | undefined,
  {session, printing}: {readonly session: Session; readonly printing: Printing},
): Promise<void> {
  const print = (shown: readonly BackupFacts[], items: readonly string[]) =>
    printResult({document: `[${items.join(',')}]`, at: [], view: viewOf(shown)}, session, {
      ...printing,
      areOfAccounts: accounts !== undefined,
    });
  if (accounts === undefined) {
    const {generations, failure} = await historyIn(to);
    await print(
      generations,
      generations.map((one) => JSON.stringify(one)),
    );
    if (failure !== undefined) throw failure;
    return;
  }
  const {found, failed} = await accounts.eachApart((member) => historyIn(folderOf(to, member, accounts)));
  await print(
    found.flatMap(({value: {generations}}) => generations),
    found.flatMap(({member, value: {generations}}) => generations.map((one) => accountItem(member.account, JSON.stringify(one)))),
  );
  const damaged = found.flatMap(({member: {account}, value: {failure}}): AccountFailure[] =>
    failure === undefined ? [] : [{account, failure}],
  );
  const failure = accounts.failureOf([...failed, ...damaged]);
  if (failure !== undefined) throw failure;
}
