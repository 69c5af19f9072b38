/** Reads one section of a policy, and collects the mistakes that a schema cannot find. */
import {membersOf} from '../../api/schema.js';
import {Failure, type Mistake} from '../../client/failure.js';
import type {Lasting, Located} from '../model/policy.js';
import {isOver, lastsLonger} from '../model/time.js';
import {locationText} from '../source/location.js';
import type {Part} from '../source/yaml-source.js';

export interface About {
  /** The mistakes so far, to which the reader adds its own. */
  readonly mistakes: Mistake[];
  /** Entries whose last day is before this time are left out. */
  readonly now: Date;
}

type Path = readonly PropertyKey[];

interface Placed<Value> {
  readonly value: Value;
  readonly path: Path;
}

interface Named {
  readonly value: string;
}

/** How entries become names. @template Must an entry of `must` @template Not an entry of `must_not` */
interface NameReading<Must, Not, Own, Spared> {
  /** @throws Failure whose message is the mistake of the entry */
  readonly readMust: (entry: Must, path: Path) => Own;
  readonly readMustNot: (entry: Not) => Spared;
  /** How messages write a name; the same for all texts that mean one item. */
  readonly shown?: (name: string) => string;
  /** Whether a later entry counts in place of one with the same name. */
  readonly countsInstead?: (later: Lasting & Own, earlier: Lasting & Own, path: Path) => boolean;
}

/** @param Data the section as its schema reads it */
export class SectionReader<Data> {
  constructor(
    readonly data: Data,
    readonly key: string,
    readonly at: Part['at'],
    readonly about: About,
  ) {}

  value<Name extends keyof Data & string>(name: Name): Located<NonNullable<Data[Name]>> | undefined {
    const value = this.data[name];
    return value === undefined || value === null ? undefined : {value, where: locationText(this.at([name]))};
  }

  /** The line of `only: true`; undefined: there is none. */
  get only(): string | undefined {
    return membersOf(this.data)['only'] === true ? locationText(this.at(['only'])) : undefined;
  }

  complain(path: Path, message: string): void {
    this.about.mistakes.push({...this.at(path), message});
  }

  /** The entries of `must` and `must_not`, each name once, without those whose last day is over. A name in both is a mistake. */
  readNames<Must, Not, Own extends Named, Spared extends Named>(
    must: readonly Must[] | undefined,
    mustNot: readonly Placed<Not>[],
    {readMust, readMustNot, shown = String, countsInstead = lastsLonger}: NameReading<Must, Not, Own, Spared>,
  ): {readonly must: (Lasting & Own)[]; readonly mustNot: (Located<string> & Spared)[]} {
    const current = placed(must, 'must').filter(({value}) => !isOver(untilIn(value).until, this.about.now));
    const wanted = this.readEach(current, (entry, path) => ({...readMust(entry, path), ...untilIn(entry)}), countsInstead);
    const forbidden = this.readEach(mustNot, readMustNot);
    const places = new Map(forbidden.map(({value: {value, where}}) => [shown(value), where]));
    for (const {
      value: {value},
      path,
    } of wanted) {
      const other = places.get(shown(value));
      if (other !== undefined) this.complain(path, `${shown(value)} is in must, and in must_not of ${this.key} at ${other}`);
    }
    return {must: wanted.map(({value}) => value), mustNot: forbidden.map(({value}) => value)};
  }

  /** Every entry once: of entries with the same name, the first, unless a later one counts instead. */
  readEach<Value, Read extends Named>(
    entries: readonly Placed<Value>[],
    read: (value: Value, path: Path) => Read,
    countsInstead: (later: Read & Located<string>, earlier: Read & Located<string>, path: Path) => boolean = () => false,
  ): Placed<Read & Located<string>>[] {
    const seen = new Map<string, Placed<Read & Located<string>>>();
    for (const {value, path} of entries)
      try {
        const found = {...read(value, path), where: locationText(this.at(path))};
        const earlier = seen.get(found.value);
        if (earlier === undefined || countsInstead(found, earlier.value, path)) seen.set(found.value, {value: found, path});
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        this.complain(path, error.message);
      }
    return [...seen.values()];
  }
}

export const placed = <Value>(values: readonly Value[] | undefined, ...path: Path): Placed<Value>[] =>
  (values ?? []).map((value, index) => ({value, path: [...path, index]}));

function untilIn(entry: unknown): Pick<Lasting, 'until'> {
  const {until} = membersOf(entry);
  return typeof until === 'string' ? {until} : {};
}
