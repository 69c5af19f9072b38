/** Compares the entries of a set with what a policy wants of them. */
import type {ByHand, Doing} from '../model/by-hand.js';
import type {Change, Grounds} from '../model/change.js';
import {asking, type Comparison, type Difference, ending, type NamingPlace, type Skipped} from '../model/difference.js';
import type {FactsJson} from '../model/domain-facts.js';
import {noteEndingSoon} from './ending.js';
import type {Ended} from '../model/policy.js';
import type {ItemKind} from '../model/section-types.js';
import type {Location} from '../source/location.js';
import type {Action, SetPlace, SetNames, SetValues} from './set.js';

/** What a policy says about an entry of a set. */
export interface WantedEntry {
  readonly rule: string;
  /** One at least. */
  readonly sources: readonly Location[];
  /** The last day on which the policy wants it, where it has one. */
  readonly until?: string | undefined;
  /** Why it is removed, where it is. */
  readonly reason?: 'forbidden' | 'lists' | 'only' | undefined;
  /** Set where the policy wanted it until a day that is over. */
  readonly ended?: Ended | undefined;
}

/** What becomes of an entry that is there and wanted: another value, or why it keeps its own. */
export type Revision<Value> = Update<Value> | {readonly kept: Omitted};

interface Update<Value> {
  readonly before: Value;
  readonly after: Value;
  readonly change: (grounds: Grounds) => Change;
}

type Omitted = Pick<Skipped, 'heldBy' | 'source' | 'why'>;

/** The rules about a set, by the form that its entries are compared in, and how to name and change an entry. */
export interface SetRules<Value = true> {
  readonly wanted: ReadonlyMap<string, WantedEntry>;
  readonly mustNot: ReadonlyMap<string, WantedEntry>;
  /** Where the policy says that nothing else may be there; undefined: it does not. */
  readonly only: Location | undefined;
  /** What it wanted until a day that is over. */
  readonly ended?: ReadonlyMap<string, Ended> | undefined;
  /** Set where entries have last days. */
  readonly now?: Date | undefined;
  readonly change: (action: Exclude<Action, 'update'>, entry: string, grounds: () => Grounds) => Change;
  /** What the rules say about a wanted entry besides its name, where they say anything. */
  readonly detailsOf?: ((entry: string) => FactsJson | undefined) | undefined;
  /** Each place that asks for a wanted entry, where entries can be named in several. */
  readonly namedBy?: ((entry: string) => readonly NamingPlace[]) | undefined;
  /** Why an entry is not added, if it is not: a server blocks neither itself nor the account its own account, and rules hold blocks back. */
  readonly omitted: (entry: string, wanted: WantedEntry) => Omitted | undefined;
  /** What is wanted of an entry, where entries have values. */
  readonly given?: ((entry: string) => Value) | undefined;
  /** Of an entry that is there and wanted; undefined: it stays as it is. What earlier applies did to it is in the circumstances. */
  readonly revised?: ((entry: string, wanted: WantedEntry) => Revision<Value> | undefined) | undefined;
  /** Whether the rules ask for less than what is there of an entry. */
  readonly asksLess?: ((entry: string) => boolean) | undefined;
}

/** The names, and how values are shown where there are any. */
export interface ComparedSet<Value> extends SetNames<Value> {
  readonly values?: Pick<SetValues<never, Value>, 'isLess' | 'text'> | undefined;
}

/** An entry that is missing, unwanted or otherwise than wanted. There may be very many, so what is said about one is made when it is read. */
class SetDifference<Value> implements Difference {
  readonly #set: ComparedSet<Value>;
  readonly #place: SetPlace;
  readonly #rules: SetRules<Value>;
  readonly #entry: string;
  /** What the policy and its lists ask for, or what forbids it. */
  readonly #ground: WantedEntry;
  /** What is missing is added, what is unwanted removed, and the rest updated. */
  readonly #how: 'missing' | 'unwanted' | Update<Value>;

  constructor(
    set: ComparedSet<Value>,
    place: SetPlace,
    rules: SetRules<Value>,
    entry: string,
    ground: WantedEntry,
    how: 'missing' | 'unwanted' | Update<Value>,
  ) {
    this.#set = set;
    this.#place = place;
    this.#rules = rules;
    this.#entry = entry;
    this.#ground = ground;
    this.#how = how;
  }

  get rule(): string {
    return this.#ground.rule;
  }

  get source(): Location {
    const [first] = this.#ground.sources;
    if (first === undefined) throw new Error(`${this.rule} has no source`);
    return first;
  }

  get kind(): ItemKind {
    return this.#set.kind;
  }

  get subject(): string {
    return this.#set.shown(this.#entry, this.#place.host);
  }

  get wanted(): string {
    return typeof this.#how === 'string' ? wordFor(this.#set.done, this.#isMissing) : this.#textOf(this.#how.after, this.#how.before);
  }

  get actual(): string {
    return typeof this.#how === 'string' ? wordFor(this.#set.done, !this.#isMissing) : this.#textOf(this.#how.before);
  }

  get fix(): string {
    return this.#command ?? this.#place.apply;
  }

  get details(): FactsJson | undefined {
    return this.#isMissing ? this.#rules.detailsOf?.(this.#entry) : undefined;
  }

  get named(): readonly NamingPlace[] | undefined {
    const named = this.#how === 'unwanted' ? undefined : this.#rules.namedBy?.(this.#entry);
    return named !== undefined && named.length > 1 ? named : undefined;
  }

  get change(): Change {
    const {byHand} = this;
    const change =
      typeof this.#how === 'string' ? this.#rules.change(this.#action, this.#entry, () => this.#grounds) : this.#how.change(this.#grounds);
    // Set last, because accounts share additions.
    return byHand === undefined ? change : {...change, by_hand: byHand};
  }

  get byHand(): ByHand | undefined {
    const doing = this.#place.did({kind: this.kind, subject: this.#entry});
    return doing?.how === 'stricter' ? undefined : doing?.byHand;
  }

  get #command(): string | undefined {
    if (typeof this.#how !== 'string') return this.#set.command('update', this.#entry, this.#place, this.#how.after, this.#how.before);
    return this.#set.command(this.#action, this.#entry, this.#place, this.#isMissing ? this.#rules.given?.(this.#entry) : undefined);
  }

  get #isMissing(): boolean {
    return this.#how === 'missing';
  }

  get #action(): Exclude<Action, 'update'> {
    return this.#isMissing ? 'add' : 'remove';
  }

  #textOf(value: Value, before?: Value): string {
    const {values, kind} = this.#set;
    if (values === undefined) throw new Error(`What is ${kind} has no value`);
    return values.text(value, before);
  }

  get #grounds(): Grounds {
    const {sources, until, reason = 'forbidden', ended} = this.#ground;
    if (this.#how !== 'unwanted') return {reason: this.rule.endsWith('.lists') ? 'lists' : 'must', ...asking(this.rule, sources, until)};
    return ended === undefined ? {reason, ...asking(this.rule, sources, until)} : ending(this.#set.key, ended, this.source);
  }
}

/** Why an entry is left to whoever changed it, if it is. */
function leftTo(doing: Doing | undefined, entry: WantedEntry): (Omitted & {readonly isStricter: boolean}) | undefined {
  if (doing?.left === undefined) return undefined;
  return {why: doing.left, heldBy: heldBy(entry, 'kept'), isStricter: doing.how === 'stricter'};
}

/** What a policy wants is held back by the rule that wants it. */
export function heldBy({rule, sources: [source]}: WantedEntry, how?: 'covered' | 'kept'): Skipped['heldBy'] {
  return source && {rule, source, how};
}

const wordFor = (done: string, isThere: boolean): string => (isThere ? done : `not ${done}`);

export function compareSet<Value>(
  set: ComparedSet<Value>,
  place: SetPlace,
  rules: SetRules<Value>,
  there: ReadonlyMap<string, unknown>,
): Comparison {
  const {wanted, mustNot, only, ended, now} = rules;
  const lasting = wanted.entries().map(
    ([
      entry,
      {
        until,
        sources: [source],
      },
    ]) => ({subject: set.shown(entry, place.host), until, source}),
  );
  const differences: Difference[] = [];
  const skipped = now === undefined ? [] : noteEndingSoon(set, lasting, now);
  const skip = (entry: string, {why, heldBy: held, source}: Omitted) =>
    skipped.push({kind: set.kind, subject: set.shown(entry, place.host), why, heldBy: held, source});
  for (const [entry, one] of wanted) {
    const left = leftTo(place.did({kind: set.kind, subject: entry}), one);
    if (!there.has(entry)) {
      const omitted = rules.omitted(entry, one) ?? left;
      if (omitted !== undefined) skip(entry, omitted);
      else differences.push(new SetDifference(set, place, rules, entry, one, 'missing'));
      continue;
    }
    const revision = rules.revised?.(entry, one);
    if (revision === undefined) {
      if (left?.isStricter === true && rules.asksLess?.(entry) === true) skip(entry, left);
    } else if ('kept' in revision) skip(entry, left ?? revision.kept);
    // What people made stricter is made stricter still, where the policy asks for more by now.
    else if (left !== undefined && (!left.isStricter || set.values?.isLess(revision.before, revision.after) === true)) skip(entry, left);
    else differences.push(new SetDifference(set, place, rules, entry, one, revision));
  }
  const unwanted = (entry: string, ground: WantedEntry) =>
    differences.push(new SetDifference(set, place, rules, entry, ground, 'unwanted'));
  for (const [entry, ground] of mustNot) if (there.has(entry)) unwanted(entry, ground);
  if (only === undefined) return {differences, skipped};
  const forbidden = {rule: `${set.key}.only`, sources: [only], reason: 'only'} as const;
  for (const entry of there.keys()) {
    if (wanted.has(entry) || mustNot.has(entry)) continue;
    unwanted(entry, {...forbidden, ended: ended?.get(entry)});
  }
  return {differences, skipped};
}
