/** Sections whose rules name their items, which are there or not: `must`, `must_not`, `only`. */
import * as z from 'zod/mini';
import type {Section} from './section.js';
import {field} from '../../api/schema.js';
import type {Desired, Kind, Want, Row} from '../model/kind.js';
import {someText, until} from '../section/fields.js';
import type {SectionReader} from '../section/reader.js';
import {locationText} from '../source/location.js';
import {lastsLonger, untilText} from '../model/time.js';
import type {Lasting, Located, NameRules} from '../model/policy.js';

/** What an undo of a block does not bring back. */
export const noFollows = 'follows ended in both directions, and are not restored';

/** A sentence where something is added. */
export const warnOfAdditions =
  (sentence: string) =>
  (rows: readonly Row[]): string | undefined =>
    rows.some(({action}) => action === 'add') ? sentence : undefined;

type NamesData = z.infer<ReturnType<typeof schemaOf>>;

/** @param noun what an item is: `account` */
function schemaOf(noun: string) {
  const names = z.array(someText);
  const own = z.strictObject({[noun]: field(someText, `the ${noun}`), until});
  return z.strictObject({
    must: z.optional(
      field(z.array(z.union([someText, own], `expected an ${noun} or {${noun}, until}`)), `${noun}s that must be on the list`),
    ),
    must_not: z.optional(field(names, `${noun}s that must not be on the list`)),
    only: z.optional(field(z.boolean(), `whether every other ${noun} is removed from the list`, {default: false})),
  });
}

/** What sets such a section apart. */
export interface NamesDefinition extends Pick<Section, 'canBe' | 'formats' | 'isPortable' | 'key' | 'list' | 'nameIn' | 'ofList'> {
  readonly kind: Kind;
  /** `account` */
  readonly noun: string;
  /** In editors. */
  readonly help: string;
  /** A name as the policy has it. @throws Failure `usage` when it is none */
  typed(text: string): string;
}

/** What every kind has whose items are there or not. */
export const namesKind: Pick<Kind, 'fit' | 'isLess'> = {fit: () => true, isLess: () => false};

export function namesSection(own: NamesDefinition): Section {
  const {key, noun, kind, nameIn} = own;
  const {done} = kind.words;
  /** By the form that names are compared in; of several of one form, the one that counts longest. */
  const byName = <One extends Lasting>(names: readonly One[], host: string): Map<string, One> => {
    const found = new Map<string, One>();
    for (const one of names) {
      const name = nameIn(one.value, host);
      const earlier = found.get(name);
      if (earlier === undefined || lastsLonger(one, earlier)) found.set(name, one);
    }
    return found;
  };
  const why = (rule: string, {location}: Pick<Located<string>, 'location'>) => ({rule: `${key}.${rule}`, where: locationText(location)});
  return {
    ...own,
    sentences: {
      must: `These ${noun}s must be ${done}.`,
      must_not: `These ${noun}s must not be ${done}.`,
      only: `No other ${noun} may be ${done}.`,
    },
    schema: () => field(schemaOf(noun), own.help),
    rulesIn(reader: SectionReader<NamesData>): NameRules {
      const read = (text: string) => ({value: own.typed(text)});
      const must = reader.must(
        (data) => data.must,
        (entry) => read(typeof entry === 'string' ? entry : String(entry[noun])),
      );
      const mustNot = reader.located(
        reader.listed((data) => data.must_not, 'must_not'),
        read,
      );
      reader.refuseContradictions(must, mustNot, key, {
        formOf: (name) => nameIn(name, ''),
        shown: (name) => kind.shown?.(name, '') ?? name,
      });
      return {must, mustNot, only: reader.exclusive((data) => data.only)};
    },
    desired({must, mustNot, only}: NameRules, host): Desired {
      const want = Array.from(byName(must, host), ([name, one]): [string, Want] => [name, {value: true, why: why('must', one)}]);
      return {
        want: new Map(want),
        never: new Map(mustNot.map((one) => [nameIn(one.value, host), why('must_not', one)])),
        spared: new Map(),
        only: only && why('only', {location: only}),
      };
    },
    reasons(name, {must, mustNot, only}: NameRules, host) {
      const asked = byName(must, host).get(name);
      const forbidden = mustNot.find(({value}) => nameIn(value, host) === name);
      return [
        ...(asked ? [{...why('must', asked), says: `must be ${done}${untilText(asked.until)}`}] : []),
        ...(forbidden ? [{...why('must_not', forbidden), says: `must not be ${done}`}] : []),
        ...(only && !asked && !forbidden ? [{...why('only', {location: only}), says: `no other ${noun} may be ${done}`}] : []),
      ];
    },
    exported: ({items}) => ({value: {must: [...items.keys()]}, leftOut: []}),
    sideText: () => done,
  };
}
