/** Which lists a blocked domain comes from. */
import type {Finding} from '../finding.js';
import type {WantedDomains} from '../lists/merge.js';
import {compareText} from '../place.js';

/** The domains that exactly these files want blocked. */
export interface Contribution {
  /** Lists, and the policy itself for what it names; sorted. */
  readonly files: readonly string[];
  /** Sorted. */
  readonly domains: readonly string[];
  /** How many of them are not blocked. */
  readonly missing: number;
}

/** The largest first. */
export function contributionsOf({wanted}: WantedDomains, findings: readonly Finding[]): Contribution[] {
  const ofMissing = ({kind, wanted: wish}: Finding): boolean => kind === 'domain_block' && wish === 'blocked';
  const missing = new Set(findings.filter(ofMissing).map(({subject}) => subject));
  const groups = new Map<string, {files: readonly string[]; domains: string[]; missing: number}>();
  for (const {domain, sources} of wanted.values()) {
    const files = [...new Set(sources.map(({file}) => file))].sort(compareText);
    const key = JSON.stringify(files);
    const group = groups.get(key) ?? {files, domains: [], missing: 0};
    groups.set(key, group);
    group.domains.push(domain);
    if (missing.has(domain)) group.missing += 1;
  }
  return [...groups]
    .sort(([key, one], [otherKey, other]) => other.domains.length - one.domains.length || compareText(key, otherKey))
    .map(([, group]) => group);
}
