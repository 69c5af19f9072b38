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

const attempt = z.object({
  key: z.string(),
  was: value,
  set: value,
  id: z.optional(z.string()),
  /** `was` and `set` as the plan has them, if preparing the request changed them. */
  planned: z.optional(z.tuple([value, value])),
});

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

export const lineOf = (found: unknown): Line | undefined => line.safeParse(found).data;

/** An item that an undo sets back: how it was at first, and how it was set last. */
export type Taken = Omit<Attempt, 'planned'>;

/** A run that wrote something, or was about to. */
interface Run {
  readonly time: string;
  readonly expected: string | undefined;
  readonly at: number;
  /** The first line that an undo of it takes back: what an earlier run left unfinished counts to it. */
  readonly from: number;
  /** How many of its writes were not refused. */
  writes: number;
  isUndone: boolean;
}

export class State {
  /** Whose state it is: `ana@pix.example`, or `@pix.example` for what the accounts of a server share. */
  readonly of: string;
  readonly lines: Line[] = [];
  #owned = new Map<string, Owned>();
  readonly #open = new Map<string, Attempt>();
  readonly #notFound = new Set<string>();
  readonly #runs: Run[] = [];
  /** The run whose writes follow; undefined while an undo makes them. */
  #run: Run | undefined;
  /** Whether all lines so far are of runs that have ended. What was adopted, given up or settled after the end of a run belongs to it. */
  #isEnded = true;
  /** How many lines no undo of the next run takes back. */
  #boundary = 0;
  #at = '';

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

  /** Whether no run was broken off. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** When the last run began that changed something, or may have; undefined: there was none, or it was undone. */
  get lastRun(): string | undefined {
    const last = this.#last;
    return last?.isUndone === false ? last.time : undefined;
  }

  /** A run whose every request was refused does not count. */
  get #last(): Run | undefined {
    return this.#runs.findLast(({writes}) => writes > 0);
  }

  /** What an undo of the last run sets back. */
  takeBack(): Taken[] {
    return this.lastRun === undefined ? [] : foldTaken(this.lines.slice(this.#last?.from));
  }

  /** What was done since the first run with this digest, with the values of the plan; undefined: there is none, or it was undone. */
  expectedBy(digest: string): Taken[] | undefined {
    const first = this.#firstOf(digest);
    return first && foldTaken(this.lines.slice(first.at), true);
  }

  #firstOf(digest: string | undefined): Run | undefined {
    return digest === undefined ? undefined : this.#runs.find(({expected, isUndone}) => expected === digest && !isUndone);
  }

  add(line: Line): void {
    const at = this.lines.push(line) - 1;
    if ('run' in line) {
      const {run: time, expected} = line;
      this.#see(time);
      this.#run = {time, expected, at, from: this.#boundary, writes: 0, isUndone: false};
      this.#runs.push(this.#run);
      this.#isEnded = false;
    } else if ('undo' in line) {
      this.#see(line.undo);
      this.#run = undefined;
      this.#isEnded = false;
      // An undo continues the last run: if it is broken off, the next one takes back both.
      this.#boundary = this.#last?.from ?? 0;
    } else if ('try' in line) {
      this.#open.set(line.try.key, line.try);
      if (this.#run) this.#run.writes += 1;
    } else if ('done' in line) this.#settle(line.done, line.id);
    else if ('refused' in line) {
      if (!this.#open.delete(line.refused)) this.#notFound.add(line.refused);
      else if (this.#run) this.#run.writes -= 1;
    } else if ('own' in line) {
      const {key, ...owned} = line.own;
      this.#owned.set(key, owned);
      this.#see(owned.at);
    } else if ('disown' in line) this.#owned.delete(line.disown);
    else {
      if ('undone' in line) this.#giveBack();
      this.#isEnded = true;
    }
    if (this.#isEnded) this.#boundary = this.lines.length;
  }

  /** The lines that stay when the file is rewritten: all that an undo, or a run after a kill, may still need. */
  listKept(): Line[] {
    const last = this.#last;
    // A later run with the digest of a plan continues the first one.
    const from = (this.#firstOf(last?.expected) ?? last)?.from ?? this.#boundary;
    return [...Array.from(this.#ownedAt(from), ([key, one]): Line => ({own: {key, ...one}})), ...this.lines.slice(from)];
  }

  #ownedAt(line: number): ReadonlyMap<string, Owned> {
    return new State(this.of, this.lines.slice(0, line)).owned;
  }

  #see(at: string): void {
    if (at > this.#at) this.#at = at;
  }

  #settle(key: string, id: string | undefined): void {
    const attempt = this.#open.get(key);
    if (attempt === undefined) return;
    this.#open.delete(key);
    this.#notFound.delete(key);
    const {set, was: found} = attempt;
    const before = this.#owned.get(key);
    // If somebody removed the item in between, an undo does not restore what was before that.
    const was = before !== undefined && isThere(found) ? before.was : found;
    if (set === null || areEqual(set, was)) this.#owned.delete(key);
    else this.#owned.set(key, {was, set, at: this.#at, ...idOf(id ?? attempt.id)});
  }

  /** Sets what is owned back to what it was before the undone run. Items that were made again have new ids. */
  #giveBack(): void {
    const from = this.#last?.from ?? 0;
    const owned = new Map(this.#ownedAt(from));
    for (const line of this.lines.slice(from)) {
      // What was given up belongs to people.
      if ('disown' in line) owned.delete(line.disown);
      const one = 'done' in line && line.id !== undefined ? owned.get(line.done) : undefined;
      if (one !== undefined && 'done' in line) owned.set(line.done, {...one, id: line.id});
    }
    this.#owned = owned;
    this.#open.clear();
    for (const run of this.#runs) run.isUndone = true;
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
    // No undo touches what was given up.
    else if ('disown' in line && !asPlanned) {
      first.delete(line.disown);
      taken.delete(line.disown);
    }
  // An open write may have been carried out, so it counts for a plan. Before an undo none is open any more.
  for (const attempt of attempts.values()) take(attempt, undefined);
  return [...taken.values()];
}
