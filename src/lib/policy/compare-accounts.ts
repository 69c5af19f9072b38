/** Blocked and muted accounts, which can be looked at and not changed. */
import {handleOf} from '../client/accounts.js';
import type {Comparison, Finding} from './finding.js';
import type {AccountRules} from './policy.js';

/** How people write an account: one of the server itself without its host, as servers do. */
function shown(handle: string, host: string): string {
  return handle.endsWith(`@${host}`) ? handle.slice(0, -host.length - 1) : handle;
}

export const noEndpoint = 'the API has no way to change it: do it in the app or on the web';

/** @param accounts as the server writes them */
export function compareAccounts(
  kind: 'block' | 'mute',
  {must, mustNot, atMost}: AccountRules,
  accounts: readonly string[],
  host: string,
): Comparison {
  const there = new Set(accounts.map((account) => handleOf(account, host)));
  const section = `${kind}s`;
  const [yes, no] = kind === 'block' ? ['blocked', 'not blocked'] : ['muted', 'not muted'];
  const findings: Finding[] = [];
  for (const {value, place} of must) {
    const handle = handleOf(value, host);
    if (!there.has(handle))
      findings.push({
        rule: `${section}.must`,
        kind,
        subject: shown(handle, host),
        wanted: yes,
        actual: no,
        source: place,
        fix: noEndpoint,
        isAppliable: false,
      });
  }
  for (const {value, place} of mustNot) {
    const handle = handleOf(value, host);
    if (there.has(handle))
      findings.push({
        rule: `${section}.must_not`,
        kind,
        subject: shown(handle, host),
        wanted: no,
        actual: yes,
        source: place,
        fix: noEndpoint,
        isAppliable: false,
      });
  }
  if (atMost !== undefined && there.size > atMost.value) {
    findings.push({
      rule: `${section}.at_most`,
      kind,
      subject: section,
      wanted: `at most ${atMost.value}`,
      actual: String(there.size),
      source: atMost.place,
      fix: noEndpoint,
      isAppliable: false,
    });
  }
  return {findings, skipped: []};
}
