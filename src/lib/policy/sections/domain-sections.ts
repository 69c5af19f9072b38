/** What the sections `domain_blocks` and `admin_domain_blocks` share. */
import type * as z from 'zod/mini';
import {mayBeAccount} from './account-sections.js';
import {readDomains} from './domains-read.js';
import type {DomainsData} from './domains-schema.js';
import {type Actual, type Desired, type Item, type Kind, type Reason, toHeldRow, toOpenRow, type Want} from './policy-kind.js';
import type {SectionReader} from './reader.js';
import {Failure} from '../../client/failure.js';
import {countNoun, firstOf} from '../../json/text.js';
import {blockableOf, isFileName, isTopLevel, parentsOf, readDomain} from '../../operations/domains.js';
import {countLists, mentionCounts, placeOf, WantedDomain, type WantedDomains} from '../lists/merge.js';
import {isDomainListFormat, writeDomainList} from '../lists/write-list.js';
import {type DomainFacts, factsText, plainFacts, writtenDomain} from '../model/domain-facts.js';
import type {DomainRules} from '../model/policy.js';
import {untilText} from '../model/time.js';
import {toBlock, type Value} from '../model/value.js';
import {compareText} from '../source/location.js';

/** The form in which domains are compared; an invalid domain stays as it is. */
export function comparedDomain(text: string): string {
  try {
    return blockableOf(text);
  } catch {
    return text;
  }
}

/** Items by domain, in the form in which domains are compared; sorted. */
export function byDomain(entries: Iterable<readonly [domain: string, Item]>): ReadonlyMap<string, Item> {
  const compared = Array.from(entries, ([text, item]): [string, Item] => [comparedDomain(text), item]);
  return new Map(compared.sort(([one], [other]) => compareText(one, other)));
}

export const listCommentOf = (want: Want): string | undefined => (want instanceof WantedDomain ? want.listComment : undefined);

/** The most domains that a remark names. */
const maxNamed = 5;

/** What is wanted without any top-level domain. Accounts share it, and rows that are made of it, because there may be very many. */
const wantedWithout = new WeakMap<Desired['want'], Desired['want']>();

/** Leaves out top-level domains on servers that cannot block these. One that the policy itself names is shown as a difference. */
export function withoutTopLevel(kind: Kind, desired: Desired, {items}: Actual, host: string): Desired {
  const top = new Map<string, Want>();
  let blocked = 0;
  for (const [name, want] of desired.want)
    if (!name.includes('.') && isTopLevel(name))
      if (items.has(name)) blocked += 1;
      else top.set(name, want);
  if (top.size === 0) return desired;
  const known = blocked === 0 ? wantedWithout.get(desired.want) : undefined;
  const want = known ?? new Map([...desired.want].filter(([name]) => !top.has(name)));
  if (blocked === 0) wantedWithout.set(desired.want, want);
  const cannot = `${host} cannot block whole top-level domains`;
  const [own = [], listed = []] = [true, false].map((isOwn) => [...top].filter(([, {why}]) => why.rule.endsWith('.must') === isOwn));
  const [first] = listed;
  const names = listed.map(([name]) => name).sort(compareText);
  const says = `${countNoun(names.length, 'entry', 'entries')} of lists left out, because ${cannot}: ${firstOf(names, maxNamed)}`;
  return {
    ...desired,
    want,
    cannot: [
      ...(desired.cannot ?? []),
      ...own.map(([name, {why}]) =>
        toOpenRow(kind, name, why, {wanted: 'blocked as a whole', actual: 'not blocked', fix: `drop ${name} from must: ${cannot}`}),
      ),
      ...(first === undefined ? [] : [toHeldRow(kind, '', {says, why: first[1].why})]),
    ],
  };
}

interface DomainsDefinition extends Omit<Kind, 'lists' | 'nameIn' | 'ofDomains' | 'policy' | 'words'> {
  readonly words: Pick<Kind['words'], 'all' | 'item' | 'title'>;
  schema(): z.ZodMiniType;
}

export function domainsKind({schema, ...own}: DomainsDefinition): Kind {
  const {key, kind, words, owner} = own;
  /** Of an account's block a server stores the domain alone. */
  const factsToKeep = (facts: DomainFacts): Value => (owner === 'server' ? {severity: facts.severity} : true);
  return {
    ...own,
    ofDomains: true,
    words: {...words, done: 'blocked'},
    nameIn(text) {
      const read = readDomain(text, true);
      if ('domain' in read && !mayBeAccount(text)) return read.domain;
      throw new Failure('usage', `"${text.trim()}" is not a domain`);
    },
    policy: {
      schema,
      read: (reader: SectionReader<DomainsData>) => readDomains({key, kind}, reader),
      desiredOf(_, __, domains) {
        if (domains === undefined) throw new Error(`The lists of ${key} were not read`);
        return domains.desired;
      },
      reasons: (domain, rules: DomainRules, _, domains: WantedDomains | undefined) =>
        domains === undefined ? [] : reasonsOf(key, domain, rules, domains),
      write({items}) {
        // A policy cannot block a domain such as `list.csv`: it would be taken for the file of a list.
        const [leftOut = [], named = []] = [true, false].map((isFile) => [...items].filter(([domain]) => isFileName(domain) === isFile));
        return {
          value: {must: named.map(([domain, {value}]) => writtenDomain(domain, plainFacts(toBlock(value))))},
          leftOut: leftOut.map(([domain]) => `${words.item} ${domain}`),
        };
      },
    },
    lists: {
      formats: ['mastodon-csv', 'mastodon-admin', 'fediblockhole', 'pixelfed-instances', 'plain'],
      write(format, {items}, {now, setting}) {
        if (!isDomainListFormat(format)) throw new Error(`${format} is no format of domains`);
        const domains = Array.from(items, ([domain, {value}]) => ({domain, facts: toBlock(value)}));
        return writeDomainList(format, domains, {...setting, now: () => now});
      },
      read(list) {
        if (list.kind !== 'domains') return undefined;
        const side = new Map<string, Value>();
        for (const {domain, facts} of list.entries) if (facts.severity !== 'noop') side.set(domain, factsToKeep(facts));
        return side;
      },
    },
  };
}

function reasonsOf(key: string, domain: string, rules: DomainRules, domains: WantedDomains): Reason[] {
  const reasons: Reason[] = [];
  const tell = (rule: string, where: string, says: string, details?: DomainFacts) =>
    reasons.push({rule: `${key}.${rule}`, where, says, details});
  const {wanted} = domains;
  const forbidden = domains.mustNot.get(domain);
  const must = rules.must.find(({value}) => value === domain);
  const {note} = rules.mustNot.find(({value}) => value === domain) ?? {};
  const mentions = domains.mentions.get(domain) ?? [];
  const agreement = `named by ${countNoun(countLists(mentions.filter(mentionCounts)), 'list')}, ${domains.needed} needed`;
  if (forbidden) {
    const isKept = forbidden.isListed ? '; what a person blocked stays' : '';
    tell('must_not', forbidden.where, `never blocked, even if a list names it${isKept}${note === undefined ? '' : `: ${note}`}`);
  }
  if (must) {
    const said = must.facts ? `: ${factsText(must.facts)}` : '';
    tell('must', must.where, `must be blocked${untilText(must.until)}${said}`, must.facts);
  }
  const isNoop = !wanted.has(domain) && domains.factsOf(domain)?.severity === 'noop';
  for (const mention of mentions) {
    const {facts} = mention;
    const counting = mentionCounts(mention) ? agreement : 'less than min_severity';
    const merged = mentionCounts(mention) && isNoop ? ['not blocked: the merged severity is noop'] : [];
    tell('lists', placeOf(mention), [factsText(facts), counting, ...merged].join('; '), facts);
  }
  for (const parent of parentsOf(domain)) {
    const {rule, where} = wanted.get(parent) ?? {};
    if (rule !== undefined && where !== undefined) reasons.push({rule, where, says: `its parent ${parent} must be blocked`});
  }
  if (rules.only !== undefined && !wanted.has(domain) && !forbidden) tell('only', rules.only, 'nothing else may be blocked');
  return reasons;
}
