/** The items that apply made, for `state list`, `state adopt` and `state forget`. Nothing is sent. */
import {stat} from 'node:fs/promises';
import {cannotRead, Failure} from '../../client/failure.js';
import {commandText} from '../../files/command-text.js';
import {countNoun, withCommas} from '../../json/text.js';
import type {ManagedItemJson} from '../model/documents.js';
import {publicFacts} from '../model/domain-facts.js';
import type {Owned} from '../model/policy-state.js';
import {isAsSet, isBlock, isThere} from '../model/value.js';
import type {PolicyWithLists} from '../reading/read-policy.js';
import {kindOfKey, kinds} from '../sections/index.js';
import {keyOf, type Kind} from '../sections/policy-kind.js';
import {StateFile} from '../state/file.js';
import {compareWhole, type Comparison, desiredOf} from './compare.js';
import {subjectOf} from './row-text.js';
import {filesIn, openStates, refuseStateless, statesOf} from './states.js';
import {type Accounts, suggest, type Target} from './target.js';
import {policyViews} from './views.js';

interface OwnedItem {
  readonly kind: Kind;
  readonly name: string;
  readonly owned: Owned;
  readonly file: StateFile;
}

interface Chosen {
  readonly state?: string | undefined;
  /** Only items of this account, or of the server with this host; undefined: all. */
  readonly account?: string | undefined;
  readonly all?: boolean | undefined;
  readonly 'dry-run'?: boolean | undefined;
}

const hostOf = ({state: {of}}: StateFile): string => of.slice(of.lastIndexOf('@') + 1);

function itemsIn(file: StateFile): OwnedItem[] {
  const items = [...file.state.owned].flatMap(([key, owned]) => {
    const kind = kindOfKey(key);
    return kind === undefined ? [] : {kind, name: key.slice(keyOf(kind, '').length), owned, file};
  });
  return items.sort((one, other) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind) || (one.name < other.name ? -1 : 1));
}

/** @throws Failure `usage` for standard input without `--state`; `local` for a policy that cannot be read: its name may be mistyped */
async function readStatesFor(policy: string, {state: chosen, account}: Chosen): Promise<StateFile[]> {
  refuseStateless(policy, chosen);
  if (policy !== '-') await stat(policy).catch(cannotRead(`the policy ${policy}`));
  const found = await Promise.all((await statesOf(policy, chosen)).map((path) => StateFile.read(path)));
  return found.flatMap((file) => (file && (account === undefined || [account, `@${account}`].includes(file.state.of)) ? file : []));
}

/** @returns the policy, and names of items as people write them; none: all items @throws Failure `usage` where nothing is named, or with --all and names */
function readNames([policy, ...names]: readonly string[], {all = false}: Chosen) {
  if (policy === undefined) throw new Failure('usage', 'Missing: POLICY');
  if (all && names.length > 0) throw new Failure('usage', '--all and names cannot be used together');
  if (!all && names.length === 0)
    throw new Failure('usage', 'No names given', {hint: 'name domains, accounts or titles of filters, or pass --all'});
  return {policy, names};
}

function isMeant(text: string, {kind, name, file}: OwnedItem): boolean {
  try {
    return kind.nameIn(text, hostOf(file)) === name;
  } catch {
    return false;
  }
}

/** The items that are named. @param why what it means that an item is not among them @throws Failure `not_found` when a name matches nothing */
function chooseItems<Item extends OwnedItem>(items: readonly Item[], names: readonly string[], why: string, hint: string): readonly Item[] {
  const [first, ...others] = names.filter((text) => !items.some((item) => isMeant(text, item)));
  if (first === undefined) return names.length === 0 ? items : items.filter((item) => names.some((text) => isMeant(text, item)));
  const more = others.length === 0 ? '' : ` (and ${withCommas(others.length)} more)`;
  throw new Failure('not_found', `${/[.@]/.test(first) ? first : JSON.stringify(first)}${more}: ${why}`, {hint});
}

function itemJson({kind, name, owned: {was, at, id}, file}: OwnedItem, policy: string): ManagedItemJson {
  const {of} = file.state;
  const host = hostOf(file);
  return {
    kind: kind.kind,
    subject: subjectOf({kind, name}, host),
    ...(id !== undefined && {id}),
    ...(was !== null && {was: isBlock(was) ? publicFacts(was) : was}),
    since: at,
    account: of.startsWith('@') ? host : of,
    policy,
    file: file.path,
  };
}

/** @param note what became of the items @param empty what to say without items */
const resultOf = (items: readonly OwnedItem[], policy: string, note?: string, empty = '') => ({
  document: items.map((item) => itemJson(item, policy)),
  view: {...policyViews.items, empty},
  at: [],
  notes: note === undefined ? [] : [note],
});

/** `Adopted 2 items.`, or that nothing was written. @param verbs `['adopt', 'Adopted']` */
function writtenText(count: number, [todo, done]: readonly [todo: string, done: string], isDryRun = false, more = ''): string {
  if (count === 0) return `Nothing to ${todo}${more === '' ? '' : `: ${more}`}.`;
  const items = countNoun(count, 'item');
  return isDryRun ? `Nothing was written: ${items} to ${todo}.` : `${done} ${items}${more === '' ? '' : `; ${more}`}.`;
}

/** @throws Failure `local` when a state cannot be read */
export async function listItems(policy: string, chosen: Chosen) {
  return resultOf((await readStatesFor(policy, chosen)).flatMap(itemsIn), policy, undefined, 'No managed items.');
}

/** Takes items out of the states, as if people had made them. @throws Failure `usage` or `not_found` for names; `local` for states that cannot be used */
export async function forgetItems(given: readonly string[] = [], chosen: Chosen, use: Target['use']) {
  const {policy, names} = readNames(given, chosen);
  const found = await readStatesFor(policy, chosen);
  const files = chosen['dry-run']
    ? found
    : await Promise.all(found.map(async ({path, state: {of}}) => use(await StateFile.open(path, of))));
  const list = commandText('state list', {args: [policy], flags: {state: chosen.state}});
  const items = chooseItems(files.flatMap(itemsIn), names, `no apply of ${policy} made it`, `to list what it made: ${list}`);
  for (const [file, own] of Map.groupBy(items, (item) => item.file))
    await file.append(
      own.map(({kind, name}) => ({disown: keyOf(kind, name)})),
      true,
    );
  return resultOf(items, policy, writtenText(items.length, ['forget', 'Forgot'], chosen['dry-run']));
}

/** The comments of an adopted block. Admins wrote them, so they stay when apply removes the block. */
function notesOf(value: Owned['set']): Owned['was'] {
  if (!isBlock(value)) return null;
  const {public_comment, private_comment} = value;
  if (public_comment === undefined && private_comment === undefined) return null;
  return {severity: 'noop', ...(public_comment !== undefined && {public_comment}), ...(private_comment !== undefined && {private_comment})};
}

function itemsToAdopt({kinds: all, when, host, given, states = {}}: Comparison) {
  const at = when.toISOString();
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
        return {kind, name, owned, file, isKnown};
      });
    }),
  );
}

/**
 * Records items that accounts have, and that the policy wants, as made by apply.
 * @throws Failure `usage` or `not_found` for names; `local` when a state cannot be written; also when no account can be read
 */
export async function adoptItems(
  given: readonly string[] = [],
  chosen: Chosen,
  accounts: Accounts,
  read: (policy: string) => Promise<PolicyWithLists>,
) {
  const {policy, names} = readNames(given, chosen);
  refuseStateless(policy, chosen.state);
  const wanted = await read(policy);
  const isDryRun = chosen['dry-run'] === true;
  const work = async (target: Target) => itemsToAdopt(await compareWhole(wanted, target, await openStates(wanted, target, !isDryRun)));
  const {all: found, failure, noun, advice} = await accounts.gather([wanted], work, true);
  if (failure !== undefined && !found.some((one) => 'value' in one)) throw failure;
  const why = `${noun === undefined ? 'the account does not have it' : 'no account has it'}, or ${policy} does not want it`;
  const items = found.flatMap((one) => ('value' in one ? one.value : []));
  const all = chooseItems(items, names, why, `see the differences: ${suggest({advice, policy}, 'plan')}`);
  const missing = all.filter(({isKnown}) => !isKnown);
  // What the comparison settled is written even where nothing is to be adopted.
  for (const [file, own] of Map.groupBy(all, (item) => item.file))
    await file.append(
      own.flatMap(({kind, name, owned, isKnown}) => (isKnown ? [] : {own: {key: keyOf(kind, name), ...owned}})),
      true,
    );
  const known = all.length - missing.length;
  const more = known === 0 ? '' : `${countNoun(known, 'item was', 'items were')} recorded already`;
  return {...resultOf(missing, policy, writtenText(missing.length, ['adopt', 'Adopted'], isDryRun, more)), failure};
}
