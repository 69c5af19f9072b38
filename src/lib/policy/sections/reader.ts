/** Reads one section of a policy, in all of its layers, and collects the mistakes that a schema cannot find. */
import {membersOf} from '../../api/schema.js';
import {Failure} from '../../client/failure.js';
import {type Location, locationText} from '../source/location.js';
import type {Mistake} from '../source/mistakes.js';
import type {Lasting, Located} from '../model/policy.js';
import {isOver, lastsLonger} from '../model/time.js';
import type {YamlSource} from '../source/yaml-source.js';

/** A value of the policy, and where it is in the file. */
export interface PolicyValue<Value> {
  readonly value: Value;
  readonly path: readonly PropertyKey[];
}

type Path = readonly PropertyKey[];

/** How a section is read. */
interface About {
  /** More are added to them. */
  readonly mistakes: Mistake[];
  /** Entries whose last day is over by then are left out. */
  readonly now: Date;
  readonly hasPrivate?: boolean;
}

/** @param Data what stands in the section */
export class SectionReader<Data> {
  readonly #source: YamlSource;
  readonly #layers: readonly PolicyValue<Data>[];
  readonly #mistakes: Mistake[];
  readonly #now: Date;
  /** Whether private comments are taken from lists. */
  readonly hasPrivate: boolean;

  /** @param layers rules that apply together, the later ones in addition to the earlier ones */
  constructor(source: YamlSource, layers: readonly PolicyValue<Data>[], {mistakes, now, hasPrivate = false}: About) {
    this.#source = source;
    this.#layers = layers;
    this.#mistakes = mistakes;
    this.#now = now;
    this.hasPrivate = hasPrivate;
  }

  /** The items of a list: those of all layers. */
  readList<Value>(pick: (data: Data) => readonly Value[] | undefined, ...path: Path): PolicyValue<Value>[] {
    return this.#layers.flatMap(({value: data, path: outer}) =>
      (pick(data) ?? []).map((value, index) => ({value, path: [...outer, ...path, index]})),
    );
  }

  /** A single value: that of the last layer that has it. */
  single<Value>(pick: (data: Data) => Value | undefined, ...path: Path): PolicyValue<Value> | undefined {
    return this.#layers
      .flatMap(({value: data, path: outer}) => {
        const value = pick(data);
        return value === undefined ? [] : [{value, path: [...outer, ...path]}];
      })
      .at(-1);
  }

  /** The value of the innermost layer that has one, with its location. */
  value<Value>(pick: (data: Data) => Value | undefined, ...path: Path): Located<Value> | undefined {
    const found = this.single(pick, ...path);
    return found && {value: found.value, location: this.at(found.path)};
  }

  /** Where the policy says that nothing else may be there. */
  exclusive(pick: (data: Data) => boolean | undefined): Location | undefined {
    const only = this.value(pick, 'only');
    return only?.value === true ? only.location : undefined;
  }

  at(path: Path): Location {
    return this.#source.location(...path);
  }

  complain(path: Path, message: string): void {
    this.#mistakes.push({file: this.#source.file, ...this.#source.position(path), message});
  }

  /** Every entry once, by the form that it is compared in: the first, unless a later one counts instead. */
  readEntries<Value, Read extends {readonly value: string}>(
    entries: readonly PolicyValue<Value>[],
    read: (value: Value) => Read,
    countsInstead: (one: Read, earlier: Read) => boolean = () => false,
  ): (Read & {readonly location: Location})[] {
    const seen = new Map<string, Read & {readonly location: Location}>();
    for (const {value, path} of entries) {
      try {
        const found = read(value);
        const earlier = seen.get(found.value);
        if (earlier === undefined || countsInstead(found, earlier)) seen.set(found.value, {...found, location: this.at(path)});
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        this.complain(path, error.message);
      }
    }
    return [...seen.values()];
  }

  /** The entries of `must`, each once: one whose last day is over is as if it were not written. */
  must<Value, Read extends {readonly value: string}>(
    pick: (data: Data) => readonly Value[] | undefined,
    read: (value: Value) => Read,
  ): (Lasting & Read)[] {
    const current = this.readList(pick, 'must').filter(({value}) => !this.isOver(untilIn(value).until));
    const lasting = (value: Value) => ({...read(value), ...untilIn(value)});
    return this.readEntries(current, lasting, lastsLonger);
  }

  isOver(until: string | undefined): boolean {
    return isOver(until, this.#now);
  }

  /** @param formOf one form for all names of the same */
  refuseContradictions(
    must: readonly Located<string>[],
    mustNot: readonly Located<string>[],
    section: string,
    {formOf, shown}: Readonly<Record<'formOf' | 'shown', (value: string) => string>> = {formOf: String, shown: String},
  ): void {
    const forbidden = new Map(mustNot.map(({value, location}) => [formOf(value), location]));
    for (const {value, location} of must) {
      const other = forbidden.get(formOf(value));
      if (other)
        this.#mistakes.push({...location, message: `${shown(value)} is in must, and in must_not of ${section} at ${locationText(other)}`});
    }
  }
}

/** The last day of an entry, which may be no more than a name. */
function untilIn(entry: unknown): Pick<Lasting, 'until'> {
  const {until} = membersOf(entry);
  return typeof until === 'string' ? {until} : {};
}
