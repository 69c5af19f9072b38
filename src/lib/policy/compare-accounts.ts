/** Blocked and muted accounts. */
import {handleOf, shownHandle} from '../operations/handles.js';
import type {Suggest} from '../client/suggest.js';
import type {Comparison, Finding} from './finding.js';
import type {Location} from './location.js';
import type {AccountRules} from './policy.js';
import {setDifference, type SetDifference} from './set-difference.js';
import type {AccountState} from './state.js';

export type AccountKind = 'block' | 'mute';

/** An account that has to be on a list. */
export interface WantedAccount {
  /** `user@host`. */
  readonly handle: string;
  readonly source: Location;
}

export interface AccountDifference extends SetDifference<WantedAccount> {
  /** The account itself, where it is to be blocked or muted: no server does that. */
  readonly itself: readonly WantedAccount[];
}

/** @param account whose lists these are, as `@ana`; undefined: nobody knows */
export function accountDifference(
  {must, mustNot, only}: AccountRules,
  there: ReadonlyMap<string, AccountState>,
  host: string,
  account: string | undefined,
): AccountDifference {
  const wanted = new Map(
    must.map(({value, location}) => {
      const handle = handleOf(value, host);
      return [handle, {handle, source: location}];
    }),
  );
  const forbidden = new Map(mustNot.map(({value, location}) => [handleOf(value, host), location]));
  const {missing, ...others} = setDifference({wanted, mustNot: forbidden, only}, there);
  const own = account === undefined ? undefined : handleOf(account, host);
  return {
    ...others,
    missing: missing.filter(({handle}) => handle !== own),
    itself: missing.filter(({handle}) => handle === own),
  };
}

/** @param count how many accounts are on the list */
export function tooMany(kind: AccountKind, {atMost}: AccountRules, count: number, suggest: Suggest): Finding[] {
  if (atMost === undefined || count <= atMost.value) return [];
  const section = `${kind}s`;
  return [
    {
      rule: `${section}.at_most`,
      kind,
      subject: section,
      wanted: `at most ${atMost.value}`,
      actual: String(count),
      source: atMost.location,
      fix: `remove some of them: ${suggest([section, 'list'], {flags: {all: true}})}`,
      isAppliable: false,
    },
  ];
}

interface AccountCircumstances {
  readonly host: string;
  readonly account: string | undefined;
  readonly suggest: Suggest;
}

export function compareAccounts(
  kind: AccountKind,
  rules: AccountRules,
  there: ReadonlyMap<string, AccountState>,
  {host, account, suggest}: AccountCircumstances,
): Comparison {
  const section = `${kind}s`;
  const {missing, forbidden, surplus, itself} = accountDifference(rules, there, host, account);
  const [yes, no] = kind === 'block' ? ['blocked', 'not blocked'] : ['muted', 'not muted'];
  const command = (action: 'add' | 'remove', handle: string) => suggest([section, action], {args: [`@${shownHandle(handle, host)}`]});
  const removal = (rule: string, handle: string, source: Location, fix: string): Finding => ({
    rule: `${section}.${rule}`,
    kind,
    subject: shownHandle(handle, host),
    wanted: no,
    actual: yes,
    source,
    fix,
    isAppliable: true,
  });
  return {
    findings: [
      ...missing.map(({handle, source}): Finding => ({
        rule: `${section}.must`,
        kind,
        subject: shownHandle(handle, host),
        wanted: yes,
        actual: no,
        source,
        fix: command('add', handle),
        isAppliable: true,
      })),
      ...forbidden.map(({name, location}) => removal('must_not', name, location, command('remove', name))),
      ...surplus.map(({name, location}) => removal('only', name, location, `${command('remove', name)}, or name it in the policy`)),
      ...tooMany(kind, rules, there.size, suggest),
    ],
    skipped: itself.map(({handle}) => ({kind, subject: shownHandle(handle, host), why: 'it is the account itself'})),
  };
}
