/** The items that apply made, for `state list`, `state adopt` and `state forget`. */
import {Failure} from '../../client/failure.js';
import {commandText} from '../../files/command-text.js';
import {openForgetting} from './states.js';
import {readAnyState, type StateFile} from '../state/file.js';
import {statesOf} from '../state/state-places.js';
import type {ManagedItemJson} from '../model/documents.js';
import {type Comparison, desiredOf, filesIn} from './compare.js';
import {kindOfKey, kinds} from '../sections/index.js';
import {keyOf, type Kind} from '../sections/policy-kind.js';
import type {Owned, State} from '../model/policy-state.js';
import {publicFacts} from '../model/domain-facts.js';
import {isAsSet, isBlock, isThere} from '../model/value.js';
import {subjectOf} from './row-text.js';
import {policyViews} from './views.js';
import {countNoun, withCommas} from '../../json/text.js';

interface OwnedItem {
  readonly kind: Kind;
  readonly name: string;
  readonly owned: Owned;
}

const hostOf = (of: string): string => of.slice(of.lastIndexOf('@') + 1);

function listOwned(state: Pick<State, 'owned'>): OwnedItem[] {
  const items = [...state.owned].flatMap(([key, owned]) => {
    const kind = kindOfKey(key);
    return kind === undefined ? [] : [{kind, name: key.slice(keyOf(kind, '').length), owned}];
  });
  return items.sort((one, other) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind) || (one.name < other.name ? -1 : 1));
}

/** @param policy the policy as the user named it @param path the file of the state */
function itemJson({kind, name, owned}: OwnedItem, {of}: Pick<State, 'of'>, policy: string, path: string): ManagedItemJson {
  const {was, at, id} = owned;
  const host = hostOf(of);
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

export interface Selection {
  /** Names of items, as people write them. */
  readonly names: readonly string[];
  readonly isAll: boolean;
  readonly isDryRun: boolean;
}

/** Names from the command line: each must match an item. */
class Names {
  readonly #texts: readonly string[];
  readonly #left: Set<string>;

  /** @throws Failure `usage` when nothing is named, or with --all and names */
  constructor({names, isAll}: Selection) {
    if (isAll && names.length > 0) throw new Failure('usage', '--all and names cannot be used together');
    if (!isAll && names.length === 0)
      throw new Failure('usage', 'No names given', {hint: 'name domains, accounts or titles of filters, or pass --all'});
    this.#texts = names;
    this.#left = new Set(names);
  }

  chooses({kind, name}: Pick<OwnedItem, 'kind' | 'name'>, host: string): boolean {
    const chosen = this.#texts.filter((text) => isMeant(text, kind, name, host));
    for (const text of chosen) this.#left.delete(text);
    return this.#texts.length === 0 || chosen.length > 0;
  }

  /** @throws Failure `not_found` when a name matches nothing */
  refuseUnmatched(why: string, hint: string): void {
    const [first, ...others] = this.#left;
    if (first === undefined) return;
    const more = others.length === 0 ? '' : ` (and ${withCommas(others.length)} more)`;
    throw new Failure('not_found', `${/[.@]/.test(first) ? first : JSON.stringify(first)}${more}: ${why}`, {hint});
  }
}

function isMeant(text: string, kind: Kind, name: string, host: string): boolean {
  try {
    return kind.nameIn(text, host) === name;
  } catch {
    return false;
  }
}

/** The comments of an adopted block. Admins wrote them, so they stay when apply removes the block. */
function notesOf(value: Owned['set']): Owned['was'] {
  if (!isBlock(value)) return null;
  const {public_comment, private_comment} = value;
  if (public_comment === undefined && private_comment === undefined) return null;
  return {severity: 'noop', ...(public_comment !== undefined && {public_comment}), ...(private_comment !== undefined && {private_comment})};
}

/** Whether a state is of an account. @param account `ana@pix.example`, or the host of a server; undefined: all */
const isOf = ({of}: Pick<State, 'of'>, account: string | undefined): boolean =>
  account === undefined || of === account || of === `@${account}`;

interface Chosen {
  /** The value of `--state`. */
  readonly chosen: string | undefined;
  readonly account: string | undefined;
}

/** What is printed of items. @param empty what to say if there are no items and no notes */
const itemsResult = (document: readonly ManagedItemJson[], {notes = [], empty = ''}: {notes?: readonly string[]; empty?: string}) => ({
  document,
  view: {...policyViews.items, empty},
  at: [],
  notes,
});

/** What became of items: `Adopted 2 items.`, or that nothing was written. @param verbs `['adopt', 'Adopted']` */
function writtenText(count: number, [todo, done]: readonly [todo: string, done: string], isDryRun: boolean, more = ''): string {
  if (count === 0) return `Nothing to ${todo}${more === '' ? '' : `: ${more}`}.`;
  const items = countNoun(count, 'item');
  return isDryRun ? `Nothing was written: ${items} to ${todo}.` : `${done} ${items}${more === '' ? '' : `; ${more}`}.`;
}

/** Lists what apply made for a policy. @throws Failure `local` when a state cannot be read */
export async function listItems(policy: string, {chosen, account}: Chosen) {
  const items: ManagedItemJson[] = [];
  for (const path of await statesOf(policy, chosen)) {
    const state = await readAnyState(path);
    if (state !== undefined && isOf(state, account)) items.push(...listOwned(state).map((item) => itemJson(item, state, policy, path)));
  }
  return itemsResult(items, {empty: 'No managed items.'});
}

/**
 * Takes items out of the states, as if people had made them. Sends nothing.
 * @throws Failure `not_found` for names that match nothing; `local` for states that cannot be used
 */
export async function forgetItems(policy: string, selection: Selection, {chosen, account}: Chosen) {
  const names = new Names(selection);
  const items: ManagedItemJson[] = [];
  const files = await openForgetting(policy, chosen);
  try {
    const meant = files.filter(({state}) => isOf(state, account));
    const all = meant.map((file) => ({file, own: listOwned(file.state).filter((item) => names.chooses(item, hostOf(file.state.of)))}));
    const list = commandText('state list', {args: [policy], flags: {state: chosen}});
    names.refuseUnmatched(`no apply of ${policy} made it`, `to list what it made: ${list}`);
    for (const {file, own} of all) {
      items.push(...own.map((item) => itemJson(item, file.state, policy, file.path ?? '')));
      if (!selection.isDryRun && own.length > 0)
        await file.append(
          own.map(({kind, name}) => ({disown: keyOf(kind, name)})),
          true,
        );
    }
  } finally {
    for (const file of files) await file[Symbol.asyncDispose]();
  }
  return itemsResult(items, {notes: [writtenText(items.length, ['forget', 'Forgot'], selection.isDryRun)]});
}

/** Collects existing items that apply is to treat as its own, in all accounts of a run. */
export class Adoption {
  readonly #policy: string;
  readonly #selection: Selection;
  readonly #names: Names;
  readonly #found: {readonly file: StateFile; readonly items: readonly OwnedItem[]}[] = [];
  /** How many of the items the states have already. */
  #known = 0;

  /** @throws Failure `usage` for names that cannot be used */
  constructor(policy: string, selection: Selection) {
    this.#policy = policy;
    this.#selection = selection;
    this.#names = new Names(selection);
  }

  /** Adds the items that the policy wants and the account has. */
  add({kinds: all, target, given, states: files}: Comparison): void {
    const at = target.now().toISOString();
    const {host} = target.server;
    for (const file of filesIn(files)) {
      const items = all.flatMap(({kind, actual, desired}) => {
        if (files[kind.owner] !== file) return [];
        const {want} = desired.want.size > 0 ? desired : desiredOf(kind, given, host);
        return [...want.keys()].flatMap((name): OwnedItem[] => {
          const {value, id} = actual.items.get(name) ?? {};
          if (!isThere(value) || !this.#names.chooses({kind, name}, host)) return [];
          const owned = file.state.owned.get(keyOf(kind, name));
          const isKnown = owned !== undefined && owned.id === id && isAsSet(value, owned.set);
          if (isKnown) this.#known += 1;
          return isKnown ? [] : [{kind, name, owned: {was: notesOf(value), set: value, at, ...(id !== undefined && {id})}}];
        });
      });
      this.#found.push({file, items});
    }
  }

  /** Writes the adopted items to the states. @throws Failure `not_found` for names that match nothing; `local` when a state cannot be written */
  async write(whyUnmatched: string, hint: string) {
    this.#names.refuseUnmatched(whyUnmatched, hint);
    const {isDryRun} = this.#selection;
    for (const {file, items} of isDryRun ? [] : this.#found)
      await file.append(
        items.map(({kind, name, owned}) => ({own: {key: keyOf(kind, name), ...owned}})),
        true,
      );
    const all = this.#found.flatMap(({file, items}) => items.map((item) => itemJson(item, file.state, this.#policy, file.path ?? '')));
    const more = this.#known === 0 ? '' : `${countNoun(this.#known, 'item was', 'items were')} recorded already`;
    return itemsResult(all, {notes: [writtenText(all.length, ['adopt', 'Adopted'], isDryRun, more)]});
  }
}
