/**
 * The state of a policy: lines that are only appended, folded when they are read. Folded, they are what is owned, the undo, and the record of
 * a run that was killed.
 */
import {areEqual} from './canonical.js';
import {isThere, type Value} from './value.js';

/** What an apply made, or changed. */
export interface Owned {
  /** How it was before; null: an apply made it. */
  readonly was: Value | null;
  readonly set: Value;
  /** When, in ISO 8601. */
  readonly at: string;
  readonly id?: string | undefined;
}

/** A write that is about to be sent. */
export interface Attempt {
  readonly key: string;
  readonly was: Value | null;
  readonly set: Value | null;
  readonly id?: string | undefined;
  /** What the plan said, where preparing the request made something else of it. */
  readonly planned?: readonly [Value | null, Value | null] | undefined;
}

/** Every line is one of these. */
export type Line =
  | {readonly disown: string}
  | {readonly done: string; readonly id?: string | undefined}
  | {readonly end: true}
  | {readonly expected?: string | undefined; readonly run: string}
  | {readonly own: Owned & {readonly key: string}}
  | {readonly refused: string}
  | {readonly try: Attempt}
  | {readonly undo: string}
  | {readonly undone: true};

/** What an undo sets back: how a key was first, and how it was set last. */
export interface Taken {
  readonly key: string;
  readonly was: Value | null;
  readonly set: Value | null;
  readonly id?: string | undefined;
}

/** A place in the lines from which an undo never goes back further. */
interface Boundary {
  /** How many lines lie before it. */
  at: number;
  owned: ReadonlyMap<string, Owned>;
}

/**
 * Whether a line right after a boundary lies before it, too: what was adopted or given up, and what became of a write of a run that had ended
 * with an open key, whose `try` lies before it.
 */
const belongsBefore = (line: Line): boolean => 'own' in line || 'disown' in line || 'done' in line || 'refused' in line;

export class State {
  /** Whose: `ana@pix.example`, or `@pix.example` for what a server's accounts share. */
  readonly of: string;
  readonly #lines: Line[] = [];
  #owned = new Map<string, Owned>();
  readonly #open = new Map<string, Attempt>();
  /** All ends and undos; the last one may be cancelled. */
  #boundaries: Boundary[] = [{at: 0, owned: new Map()}];
  /** Whether nothing happened since the last boundary but what {@link belongsBefore} tells. */
  #isQuiet = true;
  /** The boundary that `undo` takes back, and so what is owned once it is undone. */
  #undoing: Boundary | undefined;
  /** Ids of items that an undo made again. */
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

  /** The latest time in it; empty: there is none. */
  get at(): string {
    return this.#at;
  }

  /** When the last run began that changed something; undefined: there was none, or it was undone. */
  get lastRun(): string | undefined {
    const at = this.#lastRunAt;
    const line = this.#lines[at];
    if (line === undefined || !('run' in line)) return undefined;
    return this.#lines.slice(at).some((one) => 'undone' in one) ? undefined : line.run;
  }

  /** Where the last run begins that changed something, or may have; -1: there is none. One whose every request was refused leaves the run before it to be undone. */
  get #lastRunAt(): number {
    const refused = new Set<string>();
    let hasChanged = false;
    return this.#lines.findLastIndex((line) => {
      if ('refused' in line) refused.add(line.refused);
      // A refusal ends the write before it.
      else if ('try' in line) hasChanged = !refused.delete(line.try.key) || hasChanged;
      // What was written so far is the undo's.
      else if ('undo' in line) hasChanged = false;
      else if ('run' in line) return hasChanged;
      return false;
    });
  }

  /** How a key was before the first write since the boundary before the last run, and how the last one set it. */
  takeBack(): Taken[] {
    return this.lastRun === undefined ? [] : foldTaken(this.#lines.slice(this.#boundaryBeforeRun.at));
  }

  /** What was done since the first run that expected a digest, and was not undone; undefined where there is none. As a plan says it. */
  expectedBy(digest: string): Taken[] | undefined {
    const since = this.#lines.slice(this.#lines.findLastIndex((line) => 'undone' in line) + 1);
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
      [last.at, last.owned] = [this.#lines.length, new Map(this.#owned)];
      this.#isQuiet = false;
    }
    this.#lines.push(line);
    if ('run' in line) {
      this.#runAt = line.run;
      this.#see(line.run);
      this.#undoing = undefined;
      this.#remade.clear();
    } else if ('undo' in line) {
      this.#see(line.undo);
      this.#undoing = this.#boundaryBeforeRun;
      // An undo goes on with what the last run did: its end is none any more.
      const run = this.#lastRunAt;
      this.#boundaries = this.#boundaries.filter(({at}) => at <= run);
    } else if ('try' in line) this.#open.set(line.try.key, line.try);
    else if ('done' in line) this.#settle(line.done, line.id);
    else if ('refused' in line) this.#open.delete(line.refused);
    else if ('own' in line) {
      const {key, ...owned} = line.own;
      this.#owned.set(key, owned);
      this.#see(owned.at);
    } else if ('disown' in line) this.#owned.delete(line.disown);
    else {
      if ('undone' in line) this.#giveBack();
      this.#boundaries.push({at: this.#lines.length, owned: new Map()});
      this.#isQuiet = true;
    }
  }

  /** As it would be after some lines more. */
  after(lines: readonly Line[]): State {
    const copy = new State(this.of, this.#lines);
    for (const line of lines) copy.add(line);
    return copy;
  }

  /** What a rewrite keeps: all that an undo, or a killed run, may still need. */
  listKept(): Line[] {
    const run = this.#lastRunAt;
    const ownLines = (owned: ReadonlyMap<string, Owned>) => Array.from(owned, ([key, one]): Line => ({own: {key, ...one}}));
    if (run === -1) return ownLines(this.#owned);
    const boundary = this.#boundaryBefore(this.#firstRunOf(this.#lines[run], run));
    return [...ownLines(boundary.owned), ...this.#lines.slice(boundary.at)];
  }

  /** Where the plan began that a run goes on with. */
  #firstRunOf(last: Line | undefined, run: number): number {
    const expected = last !== undefined && 'run' in last ? last.expected : undefined;
    if (expected === undefined) return run;
    const undone = this.#lines.findLastIndex((line) => 'undone' in line);
    return this.#lines.findIndex((line, at) => at > undone && 'run' in line && line.expected === expected);
  }

  #see(at: string): void {
    if (at > this.#at) this.#at = at;
  }

  #settle(key: string, id: string | undefined): void {
    const attempt = this.#open.get(key);
    if (attempt === undefined) return;
    this.#open.delete(key);
    if (this.#undoing !== undefined && id !== undefined) this.#remade.set(key, id);
    const {set, was: found} = attempt;
    const before = this.#owned.get(key);
    // After somebody lifted it, the item was not there: an undo does not restore what was before.
    const was = before !== undefined && isThere(found) ? before.was : found;
    if (set === null || areEqual(set, was)) this.#owned.delete(key);
    else this.#owned.set(key, {was, set, at: this.#undoing === undefined ? this.#runAt : this.#at, ...idOf(id ?? attempt.id)});
  }

  /** What is owned is again what it was before what was undone. What was made again has another id. */
  #giveBack(): void {
    const {owned} = this.#undoing ?? this.#boundaryBeforeRun;
    this.#owned = new Map(
      Array.from(owned, ([key, one]) => {
        const id = this.#remade.get(key);
        return [key, id === undefined ? one : {...one, id}];
      }),
    );
    this.#open.clear();
    this.#undoing = undefined;
  }
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
  // What is open may have been done: it counts for a plan, and is settled before an undo.
  for (const attempt of attempts.values()) take(attempt, undefined);
  return [...taken.values()];
}
