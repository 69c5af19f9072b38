/**
 * The state of a policy is a file to which lines are only appended. Read in order, they say which items the policy made or changed, what an
 * undo has to send, and which writes of a run that was killed are open.
 */
import * as z from 'zod/mini';
import {isObject} from '../../api/schema.js';
import {areEqual} from './canonical.js';
import {severities} from './domain-facts.js';
import {isThere, type Value} from './value.js';

/** The value of an item; null means that there is no item. */
const value = z.custom<Value | null>((found) => {
  if (found === null || found === true) return true;
  if (!isObject(found)) return false;
  if ('severity' in found) return severities.some((one) => one === found['severity']);
  return Array.isArray(found['context']) && Array.isArray(found['keywords']);
});

/** A write that is about to be sent. */
const attempt = z.object({
  key: z.string(),
  was: value,
  set: value,
  id: z.optional(z.string()),
  /** `was` and `set` as the plan has them, if preparing the request changed them. */
  planned: z.optional(z.tuple([value, value])),
});

/** An item that an apply made or changed. */
const owned = z.object({
  /** How the item was before; null: an apply made it. */
  was: value,
  set: z.custom<Value>((found) => found !== null && value.safeParse(found).success),
  /** When it was set, in ISO 8601. */
  at: z.string(),
  id: z.optional(z.string()),
});

const line = z.union([
  z.object({own: z.extend(owned, {key: z.string()})}),
  z.object({try: attempt}),
  z.object({done: z.string(), id: z.optional(z.string())}),
  z.object({refused: z.string()}),
  z.object({disown: z.string()}),
  z.object({run: z.string(), expected: z.optional(z.string())}),
  z.object({end: z.literal(true)}),
  z.object({undo: z.string()}),
  z.object({undone: z.literal(true)}),
]);

type Attempt = Readonly<z.infer<typeof attempt>>;
export type Owned = Readonly<z.infer<typeof owned>>;
export type Line = Readonly<z.infer<typeof line>>;

/** A line of a state; undefined for anything else. */
export const lineOf = (found: unknown): Line | undefined => line.safeParse(found).data;

/** An item that an undo sets back: how it was at first, and how it was set last. */
export type Taken = Omit<Attempt, 'planned'>;

/** A place in the lines from which an undo never goes back further. */
interface Boundary {
  /** How many lines lie before it. */
  at: number;
  owned: ReadonlyMap<string, Owned>;
}

/**
 * Whether a line right after a boundary still belongs before it: it says that an item was adopted or given up, or how a write ended whose
 * `try` lies before the boundary, because it was still open when its run ended.
 */
const belongsBefore = (line: Line): boolean => 'own' in line || 'disown' in line || 'done' in line || 'refused' in line;

export class State {
  /** Whose state it is: `ana@pix.example`, or `@pix.example` for what the accounts of a server share. */
  readonly of: string;
  readonly lines: Line[] = [];
  #owned = new Map<string, Owned>();
  readonly #open = new Map<string, Attempt>();
  readonly #notFound = new Set<string>();
  /** One for the end of each run and undo. An undo removes those after the beginning of the run that it takes back. */
  #boundaries: Boundary[] = [{at: 0, owned: new Map()}];
  /** Whether only lines for which {@link belongsBefore} is true came after the last boundary. */
  #isQuiet = true;
  /** The boundary to which an undo that has begun goes back, with what is owned after the undo. */
  #undoing: Boundary | undefined;
  /** By key, the new ids of items that an undo made again. */
  readonly #remade = new Map<string, string>();
  #at = '';
  #runAt = '';

  constructor(of: string, lines: Iterable<Line> = []) {
    this.of = of;
    for (const line of lines) this.add(line);
  }

  get owned(): ReadonlyMap<string, Owned> {
    return this.#owned;
  }

  /** Writes that were sent and have no known outcome. */
  get open(): ReadonlyMap<string, Attempt> {
    return this.#open;
  }

  /** What could not be sent, because the server did not find the account. */
  get notFound(): ReadonlySet<string> {
    return this.#notFound;
  }

  /** The latest time in the lines; empty: there is none. */
  get at(): string {
    return this.#at;
  }

  /** When the last run began that changed something; undefined: there was none, or it was undone. */
  get lastRun(): string | undefined {
    const at = this.#lastRunAt;
    const line = this.lines[at];
    if (line === undefined || !('run' in line)) return undefined;
    return this.lines.slice(at).some((one) => 'undone' in one) ? undefined : line.run;
  }

  /** The line of the last run that changed something, or may have; -1: none. A run whose every request was refused does not count. */
  get #lastRunAt(): number {
    const refused = new Set<string>();
    let hasChanged = false;
    return this.lines.findLastIndex((line) => {
      if ('refused' in line) refused.add(line.refused);
      // Lines are read backwards, so a refusal is seen before the write that was refused.
      else if ('try' in line) hasChanged = !refused.delete(line.try.key) || hasChanged;
      // The writes seen so far are those of an undo.
      else if ('undo' in line) hasChanged = false;
      else if ('run' in line) {
        refused.clear();
        return hasChanged;
      }
      return false;
    });
  }

  /** What an undo of the last run sets back. */
  takeBack(): Taken[] {
    if (this.lastRun === undefined) return [];
    const lines = this.lines.slice(this.#boundaryBeforeRun.at);
    const givenUp = givenUpIn(lines);
    return foldTaken(lines).filter(({key}) => !givenUp.has(key));
  }

  /** What was done since the first run with this digest, with the values of the plan; undefined: there is none, or it was undone. */
  expectedBy(digest: string): Taken[] | undefined {
    const since = this.lines.slice(this.lines.findLastIndex((line) => 'undone' in line) + 1);
    const from = since.findIndex((line) => 'run' in line && line.expected === digest);
    return from === -1 ? undefined : foldTaken(since.slice(from), true);
  }

  get #boundaryBeforeRun(): Boundary {
    return this.#boundaryBefore(this.#lastRunAt);
  }

  #boundaryBefore(line: number): Boundary {
    return this.#boundaries.findLast(({at}) => at <= line) ?? {at: 0, owned: new Map()};
  }

  add(line: Line): void {
    const last = this.#boundaries.at(-1);
    if (this.#isQuiet && last !== undefined && !belongsBefore(line)) {
      [last.at, last.owned] = [this.lines.length, new Map(this.#owned)];
      this.#isQuiet = false;
    }
    this.lines.push(line);
    if ('run' in line) {
      this.#runAt = line.run;
      this.#see(line.run);
      this.#undoing = undefined;
      this.#remade.clear();
    } else if ('undo' in line) {
      this.#see(line.undo);
      this.#undoing = this.#boundaryBeforeRun;
      // An undo continues the last run, so the end of that is no boundary any more.
      const run = this.#lastRunAt;
      this.#boundaries = this.#boundaries.filter(({at}) => at <= run);
    } else if ('try' in line) this.#open.set(line.try.key, line.try);
    else if ('done' in line) this.#settle(line.done, line.id);
    else if ('refused' in line) {
      if (!this.#open.delete(line.refused)) this.#notFound.add(line.refused);
    } else if ('own' in line) {
      const {key, ...owned} = line.own;
      this.#owned.set(key, owned);
      this.#see(owned.at);
    } else if ('disown' in line) this.#owned.delete(line.disown);
    else {
      if ('undone' in line) this.#giveBack();
      this.#boundaries.push({at: this.lines.length, owned: new Map()});
      this.#isQuiet = true;
    }
  }

  /** A copy with further lines. */
  after(lines: readonly Line[]): State {
    return new State(this.of, [...this.lines, ...lines]);
  }

  /** The lines that stay when the file is rewritten: all that an undo, or a run after a kill, may still need. */
  listKept(): Line[] {
    const run = this.#lastRunAt;
    const here: Boundary = {at: this.lines.length, owned: this.#owned};
    const {at, owned} = run === -1 && this.#isQuiet ? here : this.#boundaryBefore(run === -1 ? here.at : this.#firstRunOf(run));
    return [...Array.from(owned, ([key, one]): Line => ({own: {key, ...one}})), ...this.lines.slice(at)];
  }

  /** The line of the first run of the same plan as that in a line: a later run with its digest continues it. */
  #firstRunOf(run: number): number {
    const last = this.lines[run];
    const expected = last !== undefined && 'run' in last ? last.expected : undefined;
    if (expected === undefined) return run;
    const undone = this.lines.findLastIndex((line) => 'undone' in line);
    return this.lines.findIndex((line, at) => at > undone && 'run' in line && line.expected === expected);
  }

  #see(at: string): void {
    if (at > this.#at) this.#at = at;
  }

  #settle(key: string, id: string | undefined): void {
    const attempt = this.#open.get(key);
    if (attempt === undefined) return;
    this.#open.delete(key);
    this.#notFound.delete(key);
    if (this.#undoing !== undefined && id !== undefined) this.#remade.set(key, id);
    const {set, was: found} = attempt;
    const before = this.#owned.get(key);
    // If somebody removed the item in between, an undo does not restore what was before that.
    const was = before !== undefined && isThere(found) ? before.was : found;
    if (set === null || areEqual(set, was)) this.#owned.delete(key);
    else this.#owned.set(key, {was, set, at: this.#undoing === undefined ? this.#runAt : this.#at, ...idOf(id ?? attempt.id)});
  }

  /** Sets what is owned back to what it was before the undone run. Items that were made again have new ids. */
  #giveBack(): void {
    const {at, owned} = this.#undoing ?? this.#boundaryBeforeRun;
    const givenUp = givenUpIn(this.lines.slice(at));
    this.#owned = new Map(
      Array.from(owned).flatMap(([key, one]): [string, Owned][] => {
        if (givenUp.has(key)) return [];
        const id = this.#remade.get(key);
        return [[key, id === undefined ? one : {...one, id}]];
      }),
    );
    this.#open.clear();
    this.#undoing = undefined;
  }
}

/** The items that were given up, and not written or adopted after that: they belong to people, and no undo touches them. */
function givenUpIn(lines: readonly Line[]): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const line of lines)
    if ('disown' in line) keys.add(line.disown);
    else if ('try' in line) keys.delete(line.try.key);
    else if ('own' in line) keys.delete(line.own.key);
  return keys;
}

const idOf = (id: string | undefined): {readonly id?: string} => (id === undefined ? {} : {id});

/** @param asPlanned whether values are those of the plan, and not what was sent */
function foldTaken(lines: readonly Line[], asPlanned = false): Taken[] {
  const first = new Map<string, Value | null>();
  const taken = new Map<string, Taken>();
  const attempts = new Map<string, Attempt>();
  const take = ({key, was, set, id, planned}: Attempt, made: string | undefined) => {
    const [from, to] = asPlanned && planned !== undefined ? planned : [was, set];
    if (!first.has(key)) first.set(key, from);
    taken.set(key, {key, was: first.get(key) ?? null, set: to, ...idOf(made ?? id)});
  };
  for (const line of lines)
    if ('try' in line) attempts.set(line.try.key, line.try);
    else if ('done' in line) {
      const attempt = attempts.get(line.done);
      attempts.delete(line.done);
      if (attempt !== undefined) take(attempt, line.id);
    } else if ('refused' in line) attempts.delete(line.refused);
  // An open write may have been carried out, so it counts for a plan. Before an undo none is open any more.
  for (const attempt of attempts.values()) take(attempt, undefined);
  return [...taken.values()];
}
