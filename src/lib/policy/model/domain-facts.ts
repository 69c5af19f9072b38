/** What lists and policies say about a domain besides its name: severity, comments and flags. */
import {shorten} from '../../json/text.js';

export const severities = ['noop', 'silence', 'suspend'] as const;

export type Severity = (typeof severities)[number];

const otherNames: ReadonlyMap<string, Severity> = new Map([
  ['', 'noop'],
  ['none', 'noop'],
  ['limit', 'silence'],
]);

/** Reads the names that tools use. An empty cell is `noop`. */
export function severityOf(text: string): Severity | undefined {
  const name = text.trim().toLowerCase();
  return otherNames.get(name) ?? severities.find((one) => one === name);
}

export function isAtLeast(severity: Severity, least: Severity): boolean {
  return severities.indexOf(severity) >= severities.indexOf(least);
}

/** Named as the columns of lists, and as Mastodon's API names them. */
export interface DomainFacts {
  /** `suspend` in lists without severities. */
  readonly severity: Severity;
  /** Never empty, as {@link commentOf} returns it. */
  readonly public_comment?: string | undefined;
  readonly private_comment?: string | undefined;
  readonly reject_media?: boolean | undefined;
  readonly reject_reports?: boolean | undefined;
  /** Whether servers that publish the block mask the domain. */
  readonly obfuscate?: boolean | undefined;
}

export const commentFields = ['public_comment', 'private_comment'] as const;
export const flagFields = ['reject_media', 'reject_reports', 'obfuscate'] as const;
/** The fields that a policy can choose to take from a list. */
export const optionalFields = [...commentFields, ...flagFields] as const;

/** The facts of a domain that is only named: a block is a suspension. */
export const blocked: DomainFacts = {severity: 'suspend'};

/**
 * A comment as lists can hold it: undefined when empty, without null characters and halves of characters.
 * It is a copy, because a part of a text holds the whole text in memory.
 */
export function commentOf(text: string | null | undefined): string | undefined {
  return text ? Buffer.from(text.replaceAll('\0', '\u{fffd}')).toString() : undefined;
}

export function areSameFacts(one: DomainFacts, other: DomainFacts): boolean {
  return (
    one.severity === other.severity &&
    commentFields.every((name) => (one[name] ?? '') === (other[name] ?? '')) &&
    flagFields.every((name) => one[name] === other[name])
  );
}

/** The facts in a fixed order, without empty comments and flags that are false. */
export function plainFacts(facts: DomainFacts): DomainFacts {
  const said = [...commentFields, ...flagFields].flatMap((name) => (facts[name] ? [[name, facts[name]] as const] : []));
  return {severity: facts.severity, ...Object.fromEntries(said)};
}

/** Which comments are sent to a server. `private` puts all of them into the comment for moderators, `both` each into its own field. */
export const sentComments = ['private', 'both', 'none'] as const;
export type SentComments = (typeof sentComments)[number];

export function sentFacts(facts: DomainFacts, comments: SentComments): DomainFacts {
  if (comments === 'both') return plainFacts(facts);
  const {public_comment, private_comment, ...rest} = facts;
  if (comments === 'none') return plainFacts(rest);
  const all = [private_comment, public_comment].flatMap((comment) => (comment ? {private_comment: comment} : []));
  return plainFacts({...rest, private_comment: mergedComment(all, 'private_comment', defaultMerge)});
}

export interface MergePlan {
  /** `joined` has every part of every comment once, `first` is the comment of the first list that has one. */
  readonly comments: 'first' | 'joined';
  /** The highest severity, with every flag that a list sets, or the lowest, without the flags that a list denies. */
  readonly severity: 'highest' | 'lowest';
}

export const defaultMerge: MergePlan = {comments: 'joined', severity: 'highest'};

/** Parts that several comments have appear once, so that a merged list can be merged again. */
function mergedComment(
  all: readonly Partial<DomainFacts>[],
  name: (typeof commentFields)[number],
  {comments}: MergePlan,
): string | undefined {
  const [first, ...others] = new Set(all.flatMap((facts) => facts[name] ?? []));
  if (first === undefined || others.length === 0 || comments === 'first') return first;
  const parts = [first, ...others].flatMap((comment) => comment.split(', '));
  return [...new Set(parts.filter((part) => part !== ''))].join(', ');
}

function mergedFlag(all: readonly DomainFacts[], name: (typeof flagFields)[number], {severity}: MergePlan): boolean | undefined {
  const flags = all.flatMap((facts) => facts[name] ?? []);
  if (flags.length === 0) return undefined;
  return severity === 'highest' ? flags.includes(true) : !flags.includes(false);
}

/** @param all at least one */
export function mergedSeverity(all: readonly DomainFacts[], {severity}: MergePlan): Severity {
  const ordered = severity === 'highest' ? severities.toReversed() : severities;
  return ordered.find((one) => all.some((facts) => facts.severity === one)) ?? blocked.severity;
}

/** @param all at least one, in the order of the policy */
export function mergeFacts(all: readonly DomainFacts[], plan: MergePlan): DomainFacts {
  const [first = blocked] = all;
  // Most domains are in one list, or have the same facts in several.
  if (all.every((one) => one === first || areSameFacts(one, first))) return first;
  return {
    severity: mergedSeverity(all, plan),
    ...Object.fromEntries(commentFields.map((name) => [name, mergedComment(all, name, plan)])),
    ...Object.fromEntries(flagFields.map((name) => [name, mergedFlag(all, name, plan)])),
  };
}

export function publicFacts(facts: DomainFacts): DomainFacts {
  if (facts.private_comment === undefined) return facts;
  const {private_comment: _, ...rest} = facts;
  return rest;
}

/** A blocked domain as it is written in a policy. A domain without details is written as its name. */
export function writtenDomain(domain: string, {severity, ...rest}: DomainFacts & {readonly until?: string | undefined}): object | string {
  const said = Object.entries(rest).filter(([, value]) => value !== undefined);
  const entry = {domain, ...(severity !== blocked.severity && {severity}), ...Object.fromEntries(said)};
  return Object.keys(entry).length === 1 ? domain : entry;
}

/** The most characters of a comment that a line for people shows. */
const maxCommentLength = 200;

function quoteComment(comment: string): string {
  // Only the beginning of a very long comment is searched.
  const start = comment.slice(0, 10 * maxCommentLength);
  return `“${shorten(start.trim().replaceAll(/\s+/g, ' '), maxCommentLength)}”`;
}

/** Facts in a document that is printed. A domain of which only the name is known has no severity. */
type FactsJson = Omit<DomainFacts, 'severity'> & {readonly severity?: Severity | undefined};

const flagWords = {reject_media: 'reject media', reject_reports: 'reject reports', obfuscate: 'obfuscate'} as const;

export const flagTexts = (facts: FactsJson): string[] => flagFields.flatMap((name) => (facts[name] === true ? flagWords[name] : []));

/** `suspended` */
export const statusText = ({severity}: Pick<DomainFacts, 'severity'>): string =>
  ({suspend: 'suspended', silence: 'silenced', noop: 'not blocked'})[severity];

/** In words, on one line: `suspend, reject media, “spam”, private: “see report 12”`. */
export function factsText(facts: FactsJson): string {
  const {severity, public_comment, private_comment} = facts;
  return [
    ...(severity === undefined ? [] : [severity]),
    ...flagTexts(facts),
    ...(public_comment === undefined ? [] : [quoteComment(public_comment)]),
    ...(private_comment === undefined ? [] : [`private: ${quoteComment(private_comment)}`]),
  ].join(', ');
}
