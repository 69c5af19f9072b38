/** Reads one section of a policy, in all of its layers, and collects the mistakes that a schema cannot find. */
import {membersOf} from '../../api/schema.js';
import {Failure} from '../../client/failure.js';
import {type Location, locationText} from '../source/location.js';
import type {Mistake} from '../source/mistakes.js';
import type {Lasting, Located} from '../model/policy.js';
import {isOver, lastsLonger} from '../model/time.js';
import type {YamlSource} from '../source/yaml-source.js';

interface PolicyValue<Value> extends Located<Value> {
  readonly path: readonly PropertyKey[];
}

/** Rules of a section, and where they are in the file. */
export interface Layer<Data> {
  readonly data: Data;
  readonly path: readonly PropertyKey[];
}

export interface About {
  /** The mistakes so far, to which the reader adds its own. */
  readonly mistakes: Mistake[];
  /** Entries whose last day is before this time are left out. */
  readonly now: Date;
  /** False: parts with mistakes were left out, so nothing can be said about what is missing. */
  readonly isWhole: boolean;
  /** Whether private comments are taken from lists. */
  readonly hasPrivate?: boolean;
}

/** @param Data the section as its schema reads it */
export class SectionReader<Data> {
  readonly #source: YamlSource;
  readonly #layers: readonly Layer<Data>[];
  readonly about: About;

  /** @param layers rules that apply together, the later ones in addition to the earlier ones */
  constructor(source: YamlSource, layers: readonly Layer<Data>[], about: About) {
    this.#source = source;
    this.#layers = layers;
    this.about = about;
  }

  /** The items of a list: those of all layers. */
  readList<Value>(pick: (data: Data) => readonly Value[] | undefined, ...path: readonly PropertyKey[]): PolicyValue<Value>[] {
    return this.#layers.flatMap(({data, path: outer}) =>
      (pick(data) ?? []).map((value, index) => {
        const inner = [...outer, ...path, index];
        return {value, path: inner, location: this.at(inner)};
      }),
    );
  }

  /** A single value: that of the last layer that has it. */
  value<Value>(pick: (data: Data) => Value | undefined, name: string): Located<Value> | undefined {
    for (const {data, path} of this.#layers.toReversed()) {
      const value = pick(data);
      if (value !== undefined) return {value, location: this.at([...path, name])};
    }
    return undefined;
  }

  /** Where the policy says `only: true`; undefined: nowhere. */
  exclusive(pick: (data: Data) => boolean | undefined): Location | undefined {
    const only = this.value(pick, 'only');
    return only?.value === true ? only.location : undefined;
  }

  at(path: readonly PropertyKey[]): Location {
    return this.#source.location(path);
  }

  complain(location: Location, message: string): void {
    this.about.mistakes.push({...location, message});
  }

  /** Every entry once: of entries with the same value, the first, unless a later one counts instead. */
  readEntries<Value, Read extends {readonly value: string}>(
    entries: readonly Located<Value>[],
    read: (value: Value) => Read,
    countsInstead: (one: Read, earlier: Read) => boolean = () => false,
  ): (Read & {readonly location: Location})[] {
    const seen = new Map<string, Read & {readonly location: Location}>();
    for (const {value, location} of entries) {
      try {
        const found = read(value);
        const earlier = seen.get(found.value);
        if (earlier === undefined || countsInstead(found, earlier)) seen.set(found.value, {...found, location});
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        this.complain(location, error.message);
      }
    }
    return [...seen.values()];
  }

  /** The entries of `must`, each once, without those whose last day is over. */
  must<Value, Read extends {readonly value: string}>(
    pick: (data: Data) => readonly Value[] | undefined,
    read: (value: Value) => Read,
  ): (Lasting & Read)[] {
    const current = this.readList(pick, 'must').filter(({value}) => !this.isOver(untilIn(value).until));
    const lasting = (value: Value) => ({...read(value), ...untilIn(value)});
    return this.readEntries(current, lasting, lastsLonger);
  }

  isOver(until: string | undefined): boolean {
    return isOver(until, this.about.now);
  }

  /** @param formOf the form in which names are compared */
  refuseContradictions(
    must: readonly Located<string>[],
    mustNot: readonly Located<string>[],
    section: string,
    {formOf, shown}: Readonly<Record<'formOf' | 'shown', (value: string) => string>> = {formOf: String, shown: String},
  ): void {
    const forbidden = new Map(mustNot.map(({value, location}) => [formOf(value), location]));
    for (const {value, location} of must) {
      const other = forbidden.get(formOf(value));
      if (other) this.complain(location, `${shown(value)} is in must, and in must_not of ${section} at ${locationText(other)}`);
    }
  }
}

function untilIn(entry: unknown): Pick<Lasting, 'until'> {
  const {until} = membersOf(entry);
  return typeof until === 'string' ? {until} : {};
}
