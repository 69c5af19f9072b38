/** The items that apply made, for `state list`, `state adopt` and `state forget`. Nothing is sent. */
import {stat} from 'node:fs/promises';
import {cannotRead, Failure} from '../../client/failure.js';
import {commandText} from '../../files/command-text.js';
import {countNoun, withCommas} from '../../json/text.js';
import type {ManagedItemJson} from '../model/documents.js';
import {publicFacts} from '../model/domain-facts.js';
import type {Owned, State} from '../model/policy-state.js';
import {isAsSet, isBlock, isThere} from '../model/value.js';
import type {PolicyWithLists} from '../reading/read-policy.js';
import {kindOfKey, kinds} from '../sections/index.js';
import {keyOf, type Kind} from '../sections/policy-kind.js';
import {readAnyState, StateFile} from '../state/file.js';
import {compareAccount, type Comparison, desiredOf} from './compare.js';
import {subjectOf} from './row-text.js';
import {filesIn, openStates, refuseStateless, statesOf} from './states.js';
import type {Advice, Target} from './target.js';
import {policyViews} from './views.js';

interface OwnedItem {
  readonly kind: Kind;
  readonly name: string;
  readonly owned: Owned;
  /** Whose state it is in: `ana@pix.example`, or `@pix.example`. */
  readonly of: string;
  readonly path: string;
}

export interface Selection {
  /** The policy as the user named it. */
  readonly policy: string;
  /** The value of `--state`. */
  readonly state?: string | undefined;
  /** Only items of this account, or of the server with this host; undefined: all. */
  readonly account?: string | undefined;
  /** Names of items, as people write them; empty: all items. */
  readonly names: readonly string[];
  readonly isDryRun: boolean;
}

const hostOf = ({of}: Pick<OwnedItem, 'of'>): string => of.slice(of.lastIndexOf('@') + 1);

function itemsIn({of, owned}: State, path: string): OwnedItem[] {
  const items = [...owned].flatMap(([key, one]) => {
    const kind = kindOfKey(key);
    return kind === undefined ? [] : {kind, name: key.slice(keyOf(kind, '').length), owned: one, of, path};
  });
  return items.sort((one, other) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind) || (one.name < other.name ? -1 : 1));
}

/** @throws Failure `usage` for standard input without `--state`; `local` for a policy that cannot be read: its name may be mistyped */
async function readStatesFor({policy, state: chosen, account}: Selection) {
  refuseStateless(policy, chosen);
  if (policy !== '-') await stat(policy).catch(cannotRead(`the policy ${policy}`));
  const found = [];
  for (const path of await statesOf(policy, chosen)) {
    const state = await readAnyState(path);
    if (state !== undefined && (account === undefined || [account, `@${account}`].includes(state.of))) found.push({path, state});
  }
  return found;
}

function isMeant(text: string, {kind, name, of}: OwnedItem): boolean {
  try {
    return kind.nameIn(text, hostOf({of})) === name;
  } catch {
    return false;
  }
}

/** The items that are named. @param why what it means that an item is not among them @throws Failure `not_found` when a name matches nothing */
function chooseItems<Item extends OwnedItem>(items: readonly Item[], {names}: Selection, why: string, hint: string): readonly Item[] {
  if (names.length === 0) return items;
  const left = new Set(names);
  const chosen = items.filter((item) => {
    const own = names.filter((text) => isMeant(text, item));
    for (const text of own) left.delete(text);
    return own.length > 0;
  });
  const [first, ...others] = left;
  if (first === undefined) return chosen;
  const more = others.length === 0 ? '' : ` (and ${withCommas(others.length)} more)`;
  throw new Failure('not_found', `${/[.@]/.test(first) ? first : JSON.stringify(first)}${more}: ${why}`, {hint});
}

function itemJson({kind, name, owned: {was, at, id}, of, path}: OwnedItem, policy: string): ManagedItemJson {
  const host = hostOf({of});
  return {
    kind: kind.kind,
    subject: subjectOf({kind, name}, host),
    ...(id !== undefined && {id}),
    ...(was !== null && {was: isBlock(was) ? publicFacts(was) : was}),
    since: at,
    account: of.startsWith('@') ? host : of,
    policy,
    file: path,
  };
}

/** @param note what became of the items @param empty what to say without items */
const resultOf = (items: readonly OwnedItem[], {policy}: Selection, note?: string, empty = '') => ({
  document: items.map((item) => itemJson(item, policy)),
  view: {...policyViews.items, empty},
  at: [],
  notes: note === undefined ? [] : [note],
});

/** `Adopted 2 items.`, or that nothing was written. @param verbs `['adopt', 'Adopted']` */
function writtenText(count: number, [todo, done]: readonly [todo: string, done: string], isDryRun: boolean, more = ''): string {
  if (count === 0) return `Nothing to ${todo}${more === '' ? '' : `: ${more}`}.`;
  const items = countNoun(count, 'item');
  return isDryRun ? `Nothing was written: ${items} to ${todo}.` : `${done} ${items}${more === '' ? '' : `; ${more}`}.`;
}

/** @throws Failure `local` when a state cannot be read */
export async function listItems(selection: Selection) {
  const found = await readStatesFor(selection);
  const items = found.flatMap(({state, path}) => itemsIn(state, path));
  return resultOf(items, selection, undefined, 'No managed items.');
}

/** Takes items out of the states, as if people had made them. @throws Failure `not_found` for names that match nothing; `local` for states that cannot be used */
export async function forgetItems(selection: Selection, use: Target['use']) {
  const {policy, state: chosen, isDryRun} = selection;
  const all = [];
  for (const {path, state} of await readStatesFor(selection)) {
    const file = isDryRun ? StateFile.inMemory(state.of, state) : use(await StateFile.open(path, state.of));
    all.push(...itemsIn(file.state, path).map((item) => ({...item, file})));
  }
  const list = commandText('state list', {args: [policy], flags: {state: chosen}});
  const items = chooseItems(all, selection, `no apply of ${policy} made it`, `to list what it made: ${list}`);
  for (const [file, own] of Map.groupBy(items, (item) => item.file)) {
    const lines = own.map(({kind, name}) => ({disown: keyOf(kind, name)}));
    await file.append(lines, true);
  }
  return resultOf(items, selection, writtenText(items.length, ['forget', 'Forgot'], isDryRun));
}

/** The comments of an adopted block. Admins wrote them, so they stay when apply removes the block. */
function notesOf(value: Owned['set']): Owned['was'] {
  if (!isBlock(value)) return null;
  const {public_comment, private_comment} = value;
  if (public_comment === undefined && private_comment === undefined) return null;
  return {severity: 'noop', ...(public_comment !== undefined && {public_comment}), ...(private_comment !== undefined && {private_comment})};
}

/** The items that the policy wants and the account has. */
function itemsToAdopt({kinds: all, target, given, states}: Comparison) {
  const at = target.now().toISOString();
  const {host} = target.server;
  return filesIn(states).flatMap((file) =>
    all.flatMap(({kind, actual, desired}) => {
      if (states[kind.owner] !== file) return [];
      const {want} = desired.want.size > 0 ? desired : desiredOf(kind, given, host);
      return [...want.keys()].flatMap((name) => {
        const {value, id} = actual.items.get(name) ?? {};
        if (!isThere(value)) return [];
        const known = file.state.owned.get(keyOf(kind, name));
        const isKnown = known !== undefined && known.id === id && isAsSet(value, known.set);
        const owned: Owned = {was: notesOf(value), set: value, at, ...(id !== undefined && {id})};
        return {kind, name, owned, of: file.state.of, path: file.path ?? '', file, isKnown};
      });
    }),
  );
}

/** Does something for all accounts of a run. */
type Gather = <Value>(work: (target: Target) => Promise<Value>) => Promise<{
  readonly found: readonly {readonly value: Value}[];
  readonly failure: Failure | undefined;
  readonly noun: unknown;
}>;

/**
 * Records items that accounts have, and that the policy wants, as made by apply.
 * @param advice suggests commands on all accounts
 * @throws Failure `not_found` for names that match nothing; `local` when a state cannot be written; also when no account can be read
 */
export async function adoptItems(given: PolicyWithLists, selection: Selection, gather: Gather, advice: Advice) {
  const {policy, isDryRun} = selection;
  refuseStateless(policy, selection.state);
  const {found, failure, noun} = await gather(async (target) => {
    const comparison = await compareAccount(given, target, await openStates(given, target, true));
    const [unread] = comparison.unread;
    if (unread !== undefined) throw unread.failure;
    return itemsToAdopt(comparison);
  });
  if (found.length === 0 && failure !== undefined) throw failure;
  const why = `${noun === undefined ? 'the account does not have it' : 'no account has it'}, or ${policy} does not want it`;
  const items = found.flatMap(({value}) => value);
  const all = chooseItems(items, selection, why, `see the differences: ${advice.onPolicy('plan', policy)}`);
  const missing = all.filter(({isKnown}) => !isKnown);
  for (const [file, own] of isDryRun ? [] : Map.groupBy(missing, (item) => item.file)) {
    const lines = own.map(({kind, name, owned}) => ({own: {key: keyOf(kind, name), ...owned}}));
    await file.append(lines, true);
  }
  const known = all.length - missing.length;
  const more = known === 0 ? '' : `${countNoun(known, 'item was', 'items were')} recorded already`;
  return {...resultOf(missing, selection, writtenText(missing.length, ['adopt', 'Adopted'], isDryRun, more)), failure};
}
