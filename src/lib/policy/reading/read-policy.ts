/** Reads a policy and every list that it names, each once however many accounts use it; and tells policies from lists. */
import {cannotRead, Failure} from '../../client/failure.js';
import {readGivenText} from '../../files/read-text.js';
import {handleOf} from '../../operations/handle.js';
import type {DomainList} from '../lists/list.js';
import {headerOf, readList, refuseRowMistakes} from '../lists/read-list.js';
import {type ListAccess, type LoadedLists, loadLists} from '../lists/load-lists.js';
import {leftOutTexts, mergeLists, summaryOf, type WantedDomains} from '../lists/merge.js';
import type {Policy, Rules} from '../model/policy.js';
import {parsePolicy} from './policy-file.js';
import {domainRulesIn, isOfDomains, kindOf, kinds} from '../sections/index.js';
import type {CountJson, ListJson} from '../model/documents.js';
import {refuseFailures} from '../source/mistakes.js';

export interface PolicyWithLists {
  readonly policy: Policy;
  /** What the policy and its lists say of domains, by section. */
  readonly domains: ReadonlyMap<string, WantedDomains>;
  readonly notes?: readonly string[] | undefined;
  /** The lists, if accounts have rules of their own, which are merged only when they are needed. */
  readonly lists?: LoadedLists | undefined;
  /** The only sections that the command is about; undefined: all. */
  readonly only?: readonly string[] | undefined;
  readonly showsPrivate?: boolean | undefined;
  /** Whether nothing may be removed or made weaker, because there is no state from which that could be undone. */
  readonly takesNothing?: boolean | undefined;
  /** Whether nothing that is there may change, as in a restore. */
  readonly onlyAdds?: boolean | undefined;
}

/** @param others the merged rules of other accounts: equal parts are shared with them, to save memory */
function mergeRules(policy: Policy, lists: LoadedLists, others?: PolicyWithLists['domains']): PolicyWithLists['domains'] {
  return new Map(
    domainRulesIn(policy).map((rules) => {
      const {key} = rules;
      const other = others?.get(key);
      const isSame = other !== undefined && JSON.stringify(other.rules.lists) === JSON.stringify(rules.lists);
      const used = rules.lists.flatMap((reference) => {
        const list = lists.get(reference);
        return list === undefined ? [] : {reference, list};
      });
      return [key, mergeLists(rules, used, isSame ? other : undefined)];
    }),
  );
}

/**
 * @param text the text of the policy, if it was read already: a pipe can be read only once
 * @throws Failure `local` or `usage` for a policy or lists that cannot be read or used
 */
export async function readPolicy(
  file: string,
  access?: ListAccess,
  {text, now}: {readonly text?: string | undefined; readonly now?: Date} = {},
): Promise<PolicyWithLists> {
  const policy = parsePolicy(text ?? (await readGivenText(file).catch(cannotRead(`the policy ${file}`))), file, now);
  const all = [policy, ...(policy.variants?.values() ?? [])].flatMap(domainRulesIn);
  const lists = await loadLists(
    all.flatMap((rules) => rules.lists),
    access,
  );
  const domains = mergeRules(policy, lists);
  return {policy, domains, notes: summariesIn(domains).flatMap(leftOutTexts), ...(policy.variants && {lists})};
}

/**
 * Reads several policies, each once.
 * @throws Failure of the first that cannot be read or used, with what is wrong with the others
 */
export async function readEach(files: readonly string[], read: (file: string) => Promise<PolicyWithLists>): Promise<PolicyWithLists[]> {
  const policies: PolicyWithLists[] = [];
  const failures: Failure[] = [];
  for (const file of new Set(files)) {
    try {
      policies.push(await read(file));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failures.push(error);
    }
  }
  refuseFailures(failures);
  return policies;
}

/** The policy file, and the paths or addresses of its lists. */
export function sourceFiles({policy: {file}, domains}: PolicyWithLists): string[] {
  return [file, ...[...domains.values()].flatMap(({summaries}) => summaries.map(({list}) => list))];
}

/** The lists of all sections. A list that is used in the same way several times appears once. */
export function summariesIn(domains: PolicyWithLists['domains']): readonly ListJson[] {
  const all = [...domains.values()].flatMap(({summaries}) => summaries);
  return [...new Map(all.map((summary) => [JSON.stringify(summary), summary])).values()];
}

/** What the policy wants of one account. @param account as `@ana`; undefined where it is not known @param host of its server */
export function policyFor(given: PolicyWithLists, account: string | undefined, host: string): PolicyWithLists {
  const {policy} = given;
  const {variants = new Map<string, Policy>()} = policy;
  const own = account === undefined ? undefined : variants.get(handleOf(account, host));
  if (own !== undefined) return withPolicy(given, own);
  // Rules about what the accounts of a server share apply to all of them, also to an account that `for` does not name.
  const [, other] = [...variants].find(([name]) => name.endsWith(`@${host}`)) ?? [];
  const shared = [...(other?.rules ?? [])].filter(([key]) => kindOf(key)?.owner === 'server');
  return shared.length === 0 ? given : withPolicy(given, {...policy, rules: new Map([...policy.rules, ...shared])});
}

/** Parts that are the same for all accounts are shared, to save memory. */
const withPolicy = (given: PolicyWithLists, policy: Policy): PolicyWithLists => ({
  ...given,
  policy,
  domains: mergeRules(policy, given.lists ?? new Map(), given.domains),
});

/** Counts the rules of each section, and for each account of `for:` those of the sections that differ. */
export function countWanted(given: PolicyWithLists): CountJson[] {
  const {policy} = given;
  const text = (rules: Rules | undefined) => JSON.stringify(rules);
  const all = (one: PolicyWithLists, account: string | null) =>
    kinds.flatMap(({key}) => {
      const rules = one.policy.rules.get(key);
      if (rules === undefined || (account !== null && text(rules) === text(policy.rules.get(key)))) return [];
      return countOf(key, rules, one, account);
    });
  return [...all(given, null), ...[...(policy.variants ?? [])].flatMap(([account, own]) => all(withPolicy(given, own), account))];
}

function countOf(section: string, rules: Rules, {policy, domains}: PolicyWithLists, account: string | null): CountJson {
  const merged = domains.get(section);
  const lists = isOfDomains(rules) ? rules.lists.length : 0;
  const [wanted, forbidden] = [merged?.wanted.size ?? rules.must.length, merged?.mustNot.size ?? rules.mustNot.length];
  return {policy: policy.file, account, section, wanted, forbidden, lists};
}

/** Whether a text is a policy: it has a `version`, as the file of Pixelfed has too. */
export function isPolicy(text: string): boolean {
  const [first = ''] = text.split(/\r\n|\r|\n/, 1);
  const isPixelfed = /^\s*\{/.test(text) && /"(?:auto_cw|banned|unlisted)"\s*:\s*\[/.test(text);
  // A comment in a cell of a table may have a line that looks like a version.
  return headerOf(first) === undefined && !isPixelfed && /^[ \t{]*["']?version["']?[ \t]*:/m.test(text);
}

/**
 * Reads a policy with its lists, or a list without its invalid entries.
 * @param name the path or address of the text
 * @throws Failure `local` or `usage` for what cannot be read or used, as a list that names no domain
 */
export async function readPolicyOrList(
  name: string,
  text: string,
  access: ListAccess,
  now: Date,
): Promise<{readonly given?: PolicyWithLists; readonly list?: DomainList; readonly notes?: readonly string[] | undefined}> {
  // Reading YAML takes a thousand times the memory of its text: of what is on the web only lists are read.
  if (/^https?:/i.test(name) || !isPolicy(text)) {
    const list = readList(text, name);
    refuseRowMistakes(list);
    // A command that fails before a pipe writes nothing, and then nothing would seem to differ.
    if (list.entries.length === 0) {
      const what = name === 'standard input' ? 'Standard input' : `The list ${name}`;
      throw new Failure('usage', `${what} ${text === '' ? 'is empty' : 'names no domain'}`, {hint: 'check what wrote it'});
    }
    return {list, notes: leftOutTexts(summaryOf(list))};
  }
  const given = await readPolicy(name, access, {text, now});
  return {given, notes: given.notes};
}
