/** What policies and their lists want, in numbers. */
import type {CountJson} from './model/documents.js';
import type {Wanted} from './lists/wanted.js';
import {wantedByAccount} from './reading/read-wanted.js';
import type {Section} from './section/section.js';
import {sections} from './sections/index.js';

/** The sections that have rules, and for each account of `for:` those whose rules differ. */
export function countWanted(wanted: Wanted): CountJson[] {
  const others = [...wantedByAccount(wanted)].flatMap(([account, own]) =>
    sections
      .filter(({key}) => JSON.stringify(own.policy[key]) !== JSON.stringify(wanted.policy[key]))
      .flatMap((section) => countOf(section, own, account)),
  );
  return [...sections.flatMap((section) => countOf(section, wanted, null)), ...others];
}

function countOf({key, rulesOf, asks}: Section, {policy, domains}: Wanted, account: string | null): CountJson[] {
  if (!asks(policy)) return [];
  const rules = rulesOf(policy);
  const named = rules.filter(({subject, isList}) => subject !== undefined && isList !== true);
  const forbidden = named.filter(({rule}) => rule === `${key}.must_not`);
  const [, merged] = [...domains].find(([section]) => section === key) ?? [];
  return [
    {
      policy: policy.file,
      account,
      section: key,
      wanted: merged?.wanted.size ?? named.length - forbidden.length,
      forbidden: merged?.mustNot.size ?? forbidden.length,
      lists: rules.filter(({isList}) => isList === true).length,
    },
  ];
}
