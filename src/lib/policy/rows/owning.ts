/** The items that apply made, for `state list`, `state adopt` and `state forget`. Nothing is sent. */
import {stat} from 'node:fs/promises';
import {cannotRead, Failure} from '../../client/failure.js';
import {commandText} from '../../files/command-text.js';
import {countNoun, withCommas} from '../../json/text.js';
import type {ManagedItemJson} from '../model/documents.js';
import {publicFacts} from '../model/domain-facts.js';
import type {Line, Owned} from '../model/policy-state.js';
import {isAsSet, isBlock, isThere} from '../model/value.js';
import type {PolicyWithLists} from '../reading/read-policy.js';
import {kindOfKey, kinds, nameIn} from '../sections/index.js';
import {keyOf, type Kind, kindName} from '../sections/policy-kind.js';
import {StateFile} from '../state/file.js';
import {compareWhole, type Comparison, desiredOf} from './compare.js';
import {subjectOf} from './row-text.js';
import {openStates, refuseStateless, statesOf} from './states.js';
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
  readonly all?: boolean | undefined;
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
async function readStatesFor(policy: string, chosen: string | undefined): Promise<StateFile[]> {
  refuseStateless(policy, chosen);
  if (policy !== '-') await stat(policy).catch(cannotRead(`the policy ${policy}`));
  const found = await Promise.all((await statesOf(policy, chosen)).map((path) => StateFile.read(path)));
  return found.filter((file) => file !== undefined);
}

/** @returns the policy, and names of items as people write them; none: all items @throws Failure `usage` where nothing is named, or with --all and names */
function readNames([policy, ...names]: readonly string[], {all = false}: Chosen) {
  if (policy === undefined) throw new Failure('usage', 'Missing: POLICY');
  if (all === names.length > 0)
    throw new Failure('usage', all ? '--all and names cannot be used together' : 'No names given', {
      hint: 'name domains, accounts or titles of filters, or pass --all',
    });
  return {policy, names};
}

/** The items that are named. @param why what it means that an item is not among them @throws Failure `not_found` when a name matches nothing */
function chooseItems<Item extends OwnedItem>(items: readonly Item[], names: readonly string[], why: string, hint: string): readonly Item[] {
  const isMeant = (text: string, {kind, name, file}: OwnedItem) => nameIn(kind, text, hostOf(file)) === name;
  const [first, ...others] = names.filter((text) => !items.some((item) => isMeant(text, item)));
  if (first === undefined) return names.length === 0 ? items : items.filter((item) => names.some((text) => isMeant(text, item)));
  const more = others.length === 0 ? '' : ` (and ${withCommas(others.length)} more)`;
  throw new Failure('not_found', `${/[.@]/.test(first) ? first : JSON.stringify(first)}${more}: ${why}`, {hint});
}

function itemJson({kind, name, owned: {was, at, id}, file}: OwnedItem, policy: string): ManagedItemJson {
  const host = hostOf(file);
  return {
    kind: kindName(kind),
    subject: subjectOf({kind, name}, host),
    ...(id !== undefined && {id}),
    ...(was !== null && {was: isBlock(was) ? publicFacts(was) : was}),
    since: at,
    account: file.state.of.replace(/^@/, ''),
    policy,
    file: file.path,
  };
}

/** @param empty what to say without items */
const resultOf = (items: readonly OwnedItem[], policy: string, empty: string, notes: readonly string[] = []) => ({
  document: items.map((item) => itemJson(item, policy)),
  view: {...policyViews.items, empty},
  at: [],
  notes,
});

/** Writes the lines of items into their states, and says so: `Adopted 2 items.` @param verbs `['adopt', 'Adopted']` */
async function writeLines<Item extends OwnedItem>(
  items: readonly Item[],
  policy: string,
  [todo, done]: readonly [string, string],
  lineOf: (item: Item) => Line,
) {
  for (const [file, own] of Map.groupBy(items, (item) => item.file)) await file.append(own.map(lineOf), true);
  return resultOf(items, policy, '', [items.length === 0 ? `Nothing to ${todo}.` : `${done} ${countNoun(items.length, 'item')}.`]);
}

/** @throws Failure `local` when a state cannot be read */
export async function listItems(policy: string, chosen: string | undefined) {
  return resultOf((await readStatesFor(policy, chosen)).flatMap(itemsIn), policy, 'No managed items.');
}

/** Takes items out of the states, as if people had made them. @throws Failure `usage` or `not_found` for names; `local` for states that cannot be used */
export async function forgetItems(given: readonly string[] = [], chosen: Chosen, use: Target['use']) {
  const {policy, names} = readNames(given, chosen);
  const found = await readStatesFor(policy, chosen.state);
  const files = await Promise.all(found.map(async ({path, state: {of}}) => use(await StateFile.open(path, of))));
  const list = commandText('state list', {args: [policy], flags: {state: chosen.state}});
  const items = chooseItems(files.flatMap(itemsIn), names, `no apply of ${policy} made it`, `to list what it made: ${list}`);
  return writeLines(items, policy, ['forget', 'Forgot'], ({kind, name}) => ({disown: keyOf(kind, name)}));
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
  return all.flatMap(({kind, actual, desired}) => {
    const file = states[kind.owner];
    const {want} = desired.want.size > 0 ? desired : desiredOf(kind, given, host);
    return [...want.keys()].flatMap((name) => {
      const {value, id} = actual.items.get(name) ?? {};
      if (file === undefined || !isThere(value)) return [];
      const known = file.state.owned.get(keyOf(kind, name));
      const isKnown = known !== undefined && known.id === id && isAsSet(value, known.set);
      const owned: Owned = {was: notesOf(value), set: value, at, ...(id !== undefined && {id})};
      return {kind, name, owned, file, isKnown};
    });
  });
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
  const work = async (target: Target) => itemsToAdopt(await compareWhole(wanted, target, await openStates(wanted, target, true)));
  const {all: found, failure, noun, advice} = await accounts.gather([wanted], work, true);
  if (failure !== undefined && !found.some((one) => 'value' in one)) throw failure;
  const why = `${noun === undefined ? 'the account does not have it' : 'no account has it'}, or ${policy} does not want it`;
  const items = found.flatMap((one) => ('value' in one ? one.value : []));
  const all = chooseItems(items, names, why, `see the differences: ${suggest({advice, policy}, 'plan')}`);
  const missing = all.filter(({isKnown}) => !isKnown);
  // What the comparison settled is written even where nothing is to be adopted.
  for (const {file} of all) await file.append([], true);
  const lineOf = ({kind, name, owned}: OwnedItem): Line => ({own: {key: keyOf(kind, name), ...owned}});
  return {...(await writeLines(missing, policy, ['adopt', 'Adopted'], lineOf)), failure};
}
