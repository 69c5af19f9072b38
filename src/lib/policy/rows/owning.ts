/** What apply made: listed, taken over from people, and given up to them. */
import {Failure} from '../../client/failure.js';
import type {ManagedItemJson} from '../model/documents.js';
import {type Comparison, desiredOf} from './compare.js';
import {keyOf, type Kind} from '../model/kind.js';
import {isAs} from './rows.js';
import {kindOfKey, sections} from '../sections/index.js';
import type {Line, Owned, State} from '../model/state.js';
import {isNothing} from '../model/value.js';
import {publicFacts} from '../model/domain-facts.js';

/** An item with what it is called. */
export interface OwnedItem {
  readonly kind: Kind;
  readonly name: string;
  readonly owned: Owned;
}

const hostOf = (of: string): string => of.slice(of.lastIndexOf('@') + 1);

export function ownedIn(state: Pick<State, 'owned'>): OwnedItem[] {
  const items = [...state.owned].flatMap(([key, owned]) => {
    const kind = kindOfKey(key);
    return kind === undefined ? [] : [{kind, name: key.slice(keyOf(kind, '').length), owned}];
  });
  const rank = ({kind}: OwnedItem) => sections.findIndex((section) => section.kind === kind);
  return items.sort((one, other) => rank(one) - rank(other) || (one.name < other.name ? -1 : 1));
}

/** @param policy as it was named @param path of the state */
export function itemJson({kind, name, owned}: OwnedItem, {of}: Pick<State, 'of'>, policy: string, path: string): ManagedItemJson {
  const {was, at, id} = owned;
  const host = hostOf(of);
  const shown = was !== null && was !== true && 'severity' in was ? publicFacts(was) : was;
  return {
    kind: kind.kind,
    subject: kind.subject?.(name, host) ?? name,
    ...(id !== undefined && {id}),
    ...(was !== null && {was: shown}),
    since: at,
    account: of.startsWith('@') ? host : of,
    policy,
    file: path,
  };
}

/** Names of items, as people write them. */
export class Names {
  readonly #texts: readonly string[];
  readonly #left: Set<string>;

  /** @throws Failure `usage` when nothing is named, or with --all and names */
  constructor(texts: readonly string[], isAll: boolean) {
    if (isAll && texts.length > 0) throw new Failure('usage', '--all and names cannot be used together');
    if (!isAll && texts.length === 0)
      throw new Failure('usage', 'No names given', {hint: 'name domains, accounts or titles of filters, or pass --all'});
    this.#texts = texts;
    this.#left = new Set(texts);
  }

  chooses({kind, name}: Pick<OwnedItem, 'kind' | 'name'>, host: string): boolean {
    if (this.#texts.length === 0) return true;
    let isChosen = false;
    for (const text of this.#texts) {
      if (!isMeant(text, kind, name, host)) continue;
      this.#left.delete(text);
      isChosen = true;
    }
    return isChosen;
  }

  /** @throws Failure `not_found` when a name chose nothing */
  refuseUnmatched(why: string, hint: string): void {
    const [first, ...others] = this.#left;
    if (first === undefined) return;
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    throw new Failure('not_found', `${/[.@]/.test(first) ? first : JSON.stringify(first)}${more}: ${why}`, {hint});
  }
}

function isMeant(text: string, kind: Kind, name: string, host: string): boolean {
  const section = sections.find((one) => one.kind === kind);
  try {
    return section?.nameIn(text, host) === name;
  } catch {
    return false;
  }
}

/** What the policy wants and the account has, as it is owned when it is adopted; those that are owned already apart. */
export function adoptable(comparison: Comparison, owned: ReadonlyMap<string, Owned>): readonly (OwnedItem & {readonly isKnown: boolean})[] {
  const {target, given} = comparison;
  const at = target.now().toISOString();
  return comparison.sections.flatMap(({section, actual, desired}) => {
    const {kind} = section;
    const {want} = desired.want.size > 0 ? desired : desiredOf(section, given, target.server.host);
    return [...want.keys()].flatMap((name) => {
      const item = actual.items.get(name);
      if (item === undefined || isNothing(item.value)) return [];
      const known = owned.get(keyOf(kind, name));
      const isKnown = known !== undefined && known.id === item.id && isAs(kind, item.value, known.set);
      const was = notesOf(item.value);
      return [{kind, name, isKnown, owned: {was, set: item.value, at, ...(item.id !== undefined && {id: item.id})}}];
    });
  });
}

/** What admins noted of a domain is theirs, also where the policy has the block. */
function notesOf(value: Owned['set']): Owned['was'] {
  if (value === true || !('severity' in value)) return null;
  const {public_comment, private_comment} = value;
  if (public_comment === undefined && private_comment === undefined) return null;
  return {severity: 'noop', ...(public_comment !== undefined && {public_comment}), ...(private_comment !== undefined && {private_comment})};
}

export const adoptionLine = ({kind, name, owned}: OwnedItem): Line => ({own: {key: keyOf(kind, name), ...owned}});
export const forgettingLine = ({kind, name}: Pick<OwnedItem, 'kind' | 'name'>): Line => ({disown: keyOf(kind, name)});
