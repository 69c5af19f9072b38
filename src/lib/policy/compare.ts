/** A policy held against what a server has. */
import {compareAccounts} from './compare-accounts.js';
import {compareFilters} from './compare-filters.js';
import {compareConfig, comparePush, configNotOffered} from './compare-settings.js';
import {domainDifference} from './domain-difference.js';
import {type Advice, type Comparison, type Finding, type Kind, type Skipped, unread} from './finding.js';
import type {WantedDomains} from './lists/merge.js';
import {compareLocations, compareText, locationText} from './location.js';
import type {Wanted} from './policy-file.js';
import type {Part, State} from './state.js';

/** Collects what the parts of a policy find. */
class Comparing {
  readonly findings: Finding[] = [];
  readonly skipped: Skipped[] = [];

  /** Compares one part, when the policy has rules for it; a part that could not be read is said, never passed over. */
  part<Rules, Value>(
    kind: Kind,
    rules: Rules | undefined,
    part: Part<Value> | undefined,
    compare: (rules: Rules, value: Value) => Comparison,
    notOffered?: (rules: Rules) => Comparison,
  ): void {
    if (rules === undefined) return;
    // Not to have asked is never an answer.
    if (part === undefined) throw new Error(`What the server has of ${kind} was not read`);
    if ('failure' in part) {
      if (notOffered !== undefined && part.failure.code === 'not_found') this.#take(notOffered(rules));
      else this.skipped.push(unread(kind, part.failure));
    } else this.#take(compare(rules, part.value));
  }

  #take({findings, skipped}: Comparison): void {
    // One by one: a call takes so many arguments and no more.
    for (const one of findings) this.findings.push(one);
    for (const one of skipped) this.skipped.push(one);
  }
}

export interface Circumstances {
  /** What has ended by then is gone. */
  readonly now: Date;
  readonly advice: Advice;
  /** Who is compared, as `@ana`; undefined: nobody knows. */
  readonly account?: string | undefined;
}

/** @throws Failure `usage` when filters cannot be told apart */
export function compare({policy, domains}: Wanted, state: State, {now, advice, account}: Circumstances): Comparison {
  const comparing = new Comparing();
  comparing.part('domain_block', domains, state.domainBlocks, (rules, blocked) => compareDomains(rules, blocked, state.host, advice));
  comparing.part('filter', policy.filters, state.filters, (rules, filters) =>
    compareFilters(rules, filters, {now, suggest: advice.suggest, apply: advice.onPolicy('apply', policy.file)}),
  );
  const whose = {host: state.host, account, suggest: advice.suggest};
  comparing.part('block', policy.blocks, state.blocks, (rules, accounts) => compareAccounts('block', rules, accounts, whose));
  comparing.part('mute', policy.mutes, state.mutes, (rules, accounts) => compareAccounts('mute', rules, accounts, whose));
  comparing.part('push', anyOf(policy.push), state.push, (rules, settings) => comparePush(rules, settings, advice.suggest));
  comparing.part('config', anyOf(policy.config), state.config, compareConfig, configNotOffered);
  const findings = comparing.findings.sort(
    (one, other) => compareLocations(one.source, other.source) || compareText(one.subject, other.subject),
  );
  return {findings, skipped: comparing.skipped};
}

function anyOf<Rule>(rules: readonly Rule[] | undefined): readonly Rule[] | undefined {
  return rules !== undefined && rules.length > 0 ? rules : undefined;
}

function compareDomains(rules: WantedDomains, blocked: ReadonlyMap<string, string>, host: string, {suggest}: Advice): Comparison {
  const {missing, forbidden, surplus, itself} = domainDifference(rules, blocked, host);
  const kind = 'domain_block';
  return {
    findings: [
      ...missing.flatMap(({domain, rule, sources}): Finding[] => {
        const [source] = sources;
        return source
          ? [
              {
                rule,
                kind,
                subject: domain,
                wanted: 'blocked',
                actual: 'not blocked',
                source,
                fix: suggest(['domain-blocks', 'add'], {args: [domain]}),
                isAppliable: true,
              },
            ]
          : [];
      }),
      ...forbidden.map(({name: domain, location}): Finding => ({
        rule: 'domain_blocks.must_not',
        kind,
        subject: domain,
        wanted: 'not blocked',
        actual: 'blocked',
        source: location,
        fix: suggest(['domain-blocks', 'remove'], {args: [domain]}),
        isAppliable: true,
      })),
      ...surplus.map(({name: domain, location}): Finding => ({
        rule: 'domain_blocks.only',
        kind,
        subject: domain,
        wanted: 'not blocked',
        actual: 'blocked',
        source: location,
        fix: `${suggest(['domain-blocks', 'remove'], {args: [domain]})}, or name it in the policy`,
        isAppliable: true,
      })),
    ],
    skipped: itself.map(({domain, sources}) => ({
      kind,
      subject: domain,
      why: `it is the server itself, which it does not block (${sources.map(locationText).join(', ')})`,
    })),
  };
}
