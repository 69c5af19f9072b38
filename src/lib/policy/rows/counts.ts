/** What policies and their lists want, in numbers. */
import type {CountJson} from '../model/documents.js';
import type {Rules} from '../model/policy.js';
import {byAccount, type PolicyWithLists} from '../reading/read-policy.js';
import {isOfDomains, sections} from '../sections/index.js';

/** The sections that have rules, and for each account of `for:` those whose rules differ. */
export function countWanted(given: PolicyWithLists): CountJson[] {
  const {policy} = given;
  const text = (rules: Rules | undefined) => JSON.stringify(rules);
  const all = (one: PolicyWithLists, account: string | null) =>
    sections.flatMap(({key}) => {
      const rules = one.policy.rules.get(key);
      if (rules === undefined || (account !== null && text(rules) === text(policy.rules.get(key)))) return [];
      return countOf(key, rules, one, account);
    });
  return [...all(given, null), ...[...byAccount(given)].flatMap(([account, own]) => all(own, account))];
}

function countOf(section: string, rules: Rules, {policy, domains}: PolicyWithLists, account: string | null): CountJson {
  const merged = domains.get(section);
  const lists = isOfDomains(rules) ? rules.lists.length + (rules.allowLists?.length ?? 0) : 0;
  const [wanted, forbidden] = [merged?.wanted.size ?? rules.must.length, merged?.mustNot.size ?? rules.mustNot.length];
  return {policy: policy.file, account, section, wanted, forbidden, lists};
}
