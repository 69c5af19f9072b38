/** Compares any two of a server, a policy and a list. */
import type {DiffJson} from '../model/documents.js';
import {Failure} from '../../client/failure.js';
import {countNoun} from '../../json/text.js';
import {desiredOf} from './compare.js';
import type {Actual, Want} from '../model/kind.js';
import type {List} from '../lists/list.js';
import type {SectionKey} from '../model/policy.js';
import {kindsText, subjectOf} from './row-text.js';
import {type PolicyWithLists, policyFor} from '../reading/read-policy.js';
import {sectionOf, sections} from '../sections/index.js';
import type {Section, Side} from '../sections/section.js';
import {compareText} from '../source/location.js';
import type {Target} from './target.js';
import {isNothing, type Value} from '../model/value.js';

/** The account of a server, as which it is read. */
type DiffAccount = Pick<Target, 'client' | 'now' | 'own' | 'server'> & {
  /** As the server calls it; undefined: it does not say. */
  readonly account: () => Promise<string | undefined>;
  readonly isAdmin: boolean;
};

/** A server, a policy or a list that is compared. */
export interface DiffSide {
  readonly name: string;
  /** The server that it is, or is meant for; undefined: any. */
  readonly host: string | undefined;
  /** Set where it is a server. */
  readonly account?: DiffAccount;
  /** Set where it is a policy. */
  readonly given?: PolicyWithLists;
  /** The sections that it knows. */
  readonly keys: ReadonlySet<SectionKey>;
  /** What it has in a section. @param host of accounts that are written without one @param other the account that a policy is compared with */
  side(section: Section, host: string, other?: DiffAccount): Promise<Side>;
}

/** What a server has of a section. */
function sideOf({items}: Actual): Side {
  const there = [...items].filter(([, {value}]) => !isNothing(value));
  return new Map(there.map(([name, {value}]) => [name, value]));
}

const allKeys: ReadonlySet<SectionKey> = new Set(sections.map(({key}) => key));

export const diffSides = {
  server: (name: string, account: DiffAccount): DiffSide => ({
    name,
    host: account.server.host,
    account,
    keys: allKeys,
    async side(section) {
      const {client, server, own, now} = account;
      return sideOf(await section.kind.read(client, {host: server.host, own, now: now()}));
    },
  }),
  policy(name: string, given: PolicyWithLists): DiffSide {
    const {policy} = given;
    const all = [policy, ...(policy.variants?.values() ?? [])];
    return {
      name,
      host: policy.server?.value.host,
      given,
      keys: new Set(all.flatMap(({rules}) => [...rules.keys()])),
      async side(section, host, other) {
        const own = other === undefined ? given : policyFor(given, await other.account(), other.server.host);
        const {want} = desiredOf(section, own, host);
        const valueOf = ({facts, value}: Want): Value =>
          section.hasLists && section.sendsPrivate ? (facts ?? {severity: 'suspend'}) : value;
        return new Map(Array.from(want, ([key, one]) => [key, valueOf(one)]));
      },
    };
  },
  list(name: string, list: List): DiffSide {
    const keys = sections.flatMap((section) => (section.ofList({...list, entries: []}, '') === undefined ? [] : section.key));
    return {name, host: undefined, keys: new Set(keys), side: async (section, host) => section.ofList(list, host) ?? new Map()};
  },
} as const;

/** The sections that both sides know. What is a whole server's, which not everybody may read, a policy has to ask for, or two accounts of admins. */
function commonKeys(left: DiffSide, right: DiffSide): Section[] {
  const isAsked = left.given !== undefined || right.given !== undefined;
  const areAdmins = [left, right].every(({account}) => account?.isAdmin === true);
  return sections.filter(({key, kind}) => left.keys.has(key) && right.keys.has(key) && (kind.owner === 'account' || isAsked || areAdmins));
}

/** Reads and compares two sides. @throws Failure `usage` where they have no section in common; that of what cannot be read */
export async function diff(left: DiffSide, right: DiffSide): Promise<DiffJson> {
  const common = commonKeys(left, right);
  if (common.length === 0) throw new Failure('usage', `${left.name} and ${right.name} have no part in common`);
  const host = left.host ?? right.host ?? '';
  const differences: DiffJson['differences'][number][] = [];
  for (const section of common) {
    const [one, other] = [await left.side(section, host, right.account), await right.side(section, right.host ?? host, left.account)];
    for (const name of [...new Set([...one.keys(), ...other.keys()])].sort(compareText)) {
      const [mine, others] = [one.get(name), other.get(name)];
      const [leftText, rightText] = [mine, others].map((value) => (value === undefined ? null : section.sideText(value)));
      const isSame = mine && others && section.isAlike ? section.isAlike(mine, others) : leftText === rightText;
      if (isSame) continue;
      const subject = subjectOf({kind: section.kind, name}, host);
      differences.push({kind: section.kind.kind, subject, left: leftText ?? null, right: rightText ?? null});
    }
  }
  return {left: left.name, right: right.name, differences};
}

/** How many differences there are, of which kinds: `drift`; undefined where there are none. */
export function differenceFailure({left, right, differences}: DiffJson): Failure | undefined {
  if (differences.length === 0) return undefined;
  const count = countNoun(differences.length, 'difference');
  const kinds = differences.flatMap(({kind}) => sectionOf(kind) ?? []);
  return new Failure('drift', `${count} between ${left} and ${right}`, {closing: [`${count}: ${kindsText(kinds)}.`]});
}
