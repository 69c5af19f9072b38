/** Whether the changes of a plan file do what they show: what they name is compared with what the account has. */
import {Failure} from '../client/failure.js';
import {accountKey, isHandle} from '../operations/handles.js';
import {type AccountChange, accountParts, type Change, type DomainBlockChange, type FilterChange} from './change.js';
import {changeName} from './plan-text.js';
import {knownHandle, type PartName, type State, valueOf} from './state.js';

const partOfKind = {...accountParts, domain_block: 'domain_blocks', filter: 'filters', push: 'push'} as const;

/** The parts of the state that changes are about. */
export function partsOf(changes: readonly Change[]): ReadonlySet<PartName> {
  return new Set(changes.map(({kind}) => partOfKind[kind]));
}

/** What a change acts on. An update of a filter may consist of two, which differ. */
function keyOf(change: Change, host: string): string {
  const {kind, subject, action} = change;
  if (kind === 'block' || kind === 'mute') return JSON.stringify([kind, accountKey(subject, host)]);
  if (kind !== 'filter') return JSON.stringify([kind, subject]);
  if (action === 'add') return JSON.stringify([kind, subject.trim()]);
  return JSON.stringify([kind, change.details.id, action === 'update' ? change.details : undefined]);
}

/** @throws Failure `usage` when two changes are about the same */
export function refuseRepeated(changes: readonly Change[], host: string, file: string): void {
  const known = new Set<string>();
  const removed = new Set(changes.flatMap((one) => (one.kind === 'filter' && one.action === 'remove' ? one.details.id : [])));
  for (const change of changes) {
    const key = keyOf(change, host);
    const isRemoved = change.kind === 'filter' && change.action === 'update' && removed.has(change.details.id);
    if (known.has(key) || isRemoved)
      throw new Failure('usage', `${file} has more than one change of the same: ${changeName(change)}`, {
        hint: 'make a new one with `pixelctl plan --out`',
      });
    known.add(key);
  }
}

/** Why a change does something else than it shows; undefined where it does not. */
function domainMisfit({action, subject, details}: DomainBlockChange, {domainBlocks}: State): string | undefined {
  const stored = valueOf(domainBlocks)?.get(subject);
  if (action === 'add') return stored === undefined ? undefined : 'it is blocked already';
  if (stored === undefined) return 'it is not blocked';
  const {stored: named = subject} = details;
  return stored === named ? undefined : `the server calls it ${stored}, and the plan ${named}`;
}

function accountMisfit({action, kind, subject, details: {id}}: AccountChange, state: State): string | undefined {
  const word = kind === 'block' ? 'blocked' : 'muted';
  const there = valueOf(state[accountParts[kind]]);
  const found = there?.get(knownHandle(there, subject, state.host));
  if (action === 'add') {
    if (found !== undefined) return `it is ${word} already`;
    if (!isHandle(subject)) return 'that is not an account';
    return id === undefined || id === subject ? undefined : `the id ${id} is not part of a plan: the account is looked up by its name`;
  }
  if (found === undefined) return `it is not ${word}`;
  return id === undefined || id === found.id ? undefined : `its id is ${found.id}, and in the plan ${id}`;
}

/** @param titles of filters that changes before this one have renamed, by their ids */
function filterMisfit(change: FilterChange, {filters}: State, titles: Map<string, string>): string | undefined {
  if (change.action === 'add') return undefined;
  const {id} = change.details;
  const found = valueOf(filters)?.find((one) => one.id === id);
  if (found === undefined) return `there is no filter ${id}`;
  const shown = change.action === 'update' && change.details.title !== undefined ? (change.details.stored ?? '') : change.subject;
  const title = titles.get(id) ?? found.title;
  if (title.trim() !== shown.trim()) return `the filter ${id} is called “${title}”`;
  if (change.action === 'remove') return undefined;
  const {title: renamed, remove, change: changed, unchanged} = change.details;
  if (renamed !== undefined) {
    if (renamed !== change.subject) return `the plan would call it “${renamed}”`;
    titles.set(id, renamed);
  }
  const keywords = new Map(found.keywords.map((one) => [one.id, one]));
  const wrong =
    remove.find((one) => keywords.get(one.id)?.keyword !== one.keyword || keywords.get(one.id)?.wholeWord !== one.whole_word) ??
    changed.find((one) => keywords.get(one.id)?.keyword !== one.keyword);
  if (wrong !== undefined) return `the filter ${id} has no keyword ${wrong.id} “${wrong.keyword}”`;
  return unchanged === undefined || keywords.has(unchanged) ? undefined : `the filter ${id} has no keyword ${unchanged}`;
}

function misfit(change: Change, state: State, titles: Map<string, string>): string | undefined {
  if (change.kind === 'domain_block') return domainMisfit(change, state);
  if (change.kind === 'filter') return filterMisfit(change, state, titles);
  if (change.kind === 'push') return valueOf(state.push)?.['notify_enabled'] === true ? undefined : 'push is off already';
  return accountMisfit(change, state);
}

/**
 * @param changes of a plan file that are about to be made
 * @throws Failure `refused` when one of them would do something else than it shows
 */
export function refuseUnfit(
  changes: readonly Change[],
  state: State,
  {account, policy}: {readonly account: string; readonly policy: string},
): void {
  const titles = new Map<string, string>();
  for (const change of changes) {
    const why = misfit(change, state, titles);
    if (why === undefined) continue;
    throw new Failure('refused', `The plan does not fit ${account} on ${state.host}: ${changeName(change)}: ${why}; nothing was sent`, {
      hint: (suggest) => `make a new plan: ${suggest(['plan'], {args: [policy]})}`,
    });
  }
}
