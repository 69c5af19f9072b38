/** Merges are those of FediBlockHole: its rules, as its mergeplans say them, against ours. */
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {mergeLists} from '../../../../src/lib/policy/lists/merge.js';
import type {DomainFacts, Severity} from '../../../../src/lib/policy/model/domain-facts.js';
import {used} from './used.js';

type Plan = 'max' | 'min';
interface Entry extends Record<(typeof flags)[number], boolean> {
  readonly domain: string;
  readonly severity: Severity;
  readonly public_comment: string;
  readonly private_comment: string;
}

const flags = ['reject_media', 'reject_reports', 'obfuscate'] as const;
const levels: readonly Severity[] = ['noop', 'silence', 'suspend'];

/** Parts that the older comment has are not added again; FediBlockHole does not promise their order. */
function mergedComment(one: string, other: string): string {
  const parts = [one, other].flatMap((text) => text.split(', ')).filter((part) => part !== '');
  return [...new Set(parts)].join(', ');
}

/** `max`: the highest severity, and each flag that one list sets; `min`: the lowest, and each flag that all lists set. */
function merged(one: Entry, other: Entry, plan: Plan): Entry {
  const isHigher = levels.indexOf(other.severity) > levels.indexOf(one.severity);
  const flagOf = (name: (typeof flags)[number]) => (plan === 'max' ? one[name] || other[name] : one[name] && other[name]);
  return {
    domain: one.domain,
    severity: isHigher === (plan === 'max') ? other.severity : one.severity,
    public_comment: mergedComment(one.public_comment, other.public_comment),
    private_comment: mergedComment(one.private_comment, other.private_comment),
    reject_media: flagOf('reject_media'),
    reject_reports: flagOf('reject_reports'),
    obfuscate: flagOf('obfuscate'),
  };
}

/** Domains that enough lists name, each with what they say of it. */
function mergeOf(lists: readonly (readonly Entry[])[], plan: Plan, threshold: number): ReadonlyMap<string, Entry> {
  const all = Map.groupBy(lists.flat(), ({domain}) => domain);
  return new Map(
    [...all].flatMap(([domain, entries]) => {
      const [first, ...others] = entries;
      if (first === undefined || entries.length < threshold) return [];
      return [[domain, others.reduce((one, other) => merged(one, other, plan), first)]] as const;
    }),
  );
}

const comment = fc.constantFrom('', 'spam', 'hate', 'spam, hate', 'hate, scrapers');
const entry: fc.Arbitrary<Entry> = fc.record({
  domain: fc.constantFrom('a.example', 'b.example', 'c.example'),
  severity: fc.constantFrom(...levels),
  public_comment: comment,
  private_comment: comment,
  reject_media: fc.boolean(),
  reject_reports: fc.boolean(),
  obfuscate: fc.boolean(),
});
const list = fc.uniqueArray(entry, {selector: ({domain}) => domain, maxLength: 3});

const columns = ['domain', 'severity', 'public_comment', 'private_comment', ...flags] as const;
const csv = (entries: readonly Entry[]) =>
  [columns.join(','), ...entries.map((one) => columns.map((name) => `"${one[name]}"`).join(','))].join('\n');

const parts = (text: string | undefined) => new Set((text ?? '').split(', '));
const told = ({severity, public_comment, private_comment, ...rest}: DomainFacts | Entry) => ({
  severity,
  public_comment: parts(public_comment),
  private_comment: parts(private_comment),
  flags: flags.map((name) => rest[name] === true),
});

test('severities, flags, comments and thresholds come out as FediBlockHole merges them', () => {
  fc.assert(
    fc.property(
      fc.array(list, {minLength: 1, maxLength: 4}),
      fc.constantFrom<Plan>('max', 'min'),
      fc.integer({min: 1, max: 3}),
      (lists, plan, threshold) => {
        const ours = mergeLists(
          {
            key: 'admin_domain_blocks',
            must: [],
            mustNot: [],
            lists: [],
            agree: threshold,
            merge: {comments: 'joined', severity: plan === 'max' ? 'highest' : 'lowest'},
          },
          lists.map((entries, index) => used(`l${index}`, csv(entries), {minSeverity: 'noop'})),
        );
        const theirs = mergeOf(lists, plan, threshold);
        for (const domain of ['a.example', 'b.example', 'c.example']) {
          const [one, other] = [ours.factsOf(domain), theirs.get(domain)];
          expect(one && told(one)).toEqual(other && told(other));
          // What comes to noop is not blocked.
          expect(ours.wanted.has(domain)).toBe(other !== undefined && other.severity !== 'noop');
        }
      },
    ),
    {numRuns: 200},
  );
});
