/** What an audit finds, and what it could not look at. */
import {Failure} from '../client/failure.js';
import type {Suggest, SuggestedFlags} from '../client/suggest.js';
import {type Location, locationText} from './location.js';

/** `unchecked`: a rule about something that this server does not offer. */
export const findingKinds = ['block', 'config', 'domain_block', 'filter', 'mute', 'push', 'unchecked'] as const;
export type Kind = (typeof findingKinds)[number];

/** Commands that are suggested on the account that a policy is compared with. */
export interface Advice {
  readonly suggest: Suggest;
  /** A command that takes the policy, with the flags that lead to the same lists and the same state file. */
  readonly onPolicy: (command: 'apply' | 'plan', file: string) => string;
}

/** @param flags of the commands that take a policy */
export function adviceOf(suggest: Suggest, flags: SuggestedFlags = {}): Advice {
  return {suggest, onPolicy: (command, file) => suggest([command], {args: [file], flags})};
}

export interface Finding {
  /** Path of the rule in the policy: `domain_blocks.must`. */
  readonly rule: string;
  readonly kind: Kind;
  /** The domain, title, account or setting. */
  readonly subject: string;
  readonly wanted: string;
  readonly actual: string;
  readonly source: Location;
  /** What to do about it. */
  readonly fix: string;
  /** Whether a plan can change it; for push, only together with the other settings. */
  readonly isAppliable: boolean;
}

/** A rule that was not held against the server. */
export interface Skipped {
  readonly kind: Kind;
  readonly subject?: string | undefined;
  readonly why: string;
  /** Set when the rule could not be looked at: then nothing may be concluded from there being no findings. */
  readonly failure?: Failure | undefined;
}

/** What comes of holding a policy, or a part of it, against a server. */
export interface Comparison {
  /** In the order of the policy. */
  readonly findings: readonly Finding[];
  readonly skipped: readonly Skipped[];
}

export function unread(kind: Kind, failure: Failure): Skipped {
  return {kind, why: failure.message, failure};
}

/** A finding as programs read it, and as plans are kept. */
export interface FindingJson {
  readonly rule: string;
  readonly kind: Kind;
  readonly subject: string;
  readonly wanted: string;
  readonly actual: string;
  readonly source: string;
  readonly fix: string;
}

export function findingJson({rule, kind, subject, wanted, actual, source, fix}: Finding): FindingJson {
  return {rule, kind, subject, wanted, actual, source: locationText(source), fix};
}

export function skippedJson({kind, subject, why, failure}: Skipped): Record<string, string> {
  return {kind, ...(subject !== undefined && {subject}), why, ...(failure && {code: failure.code})};
}

const words: Readonly<Record<Kind, string>> = {
  block: 'the blocks',
  config: 'the configuration',
  domain_block: 'the domain blocks',
  filter: 'the filters',
  mute: 'the mutes',
  push: 'the push settings',
  unchecked: 'the configuration',
};

/** The failure of what could not be looked at, in words that say what that was. */
export function blindness(skipped: readonly Skipped[], host: string): Failure | undefined {
  const failure = failureOf(skipped);
  if (failure === undefined) return undefined;
  const kinds = new Set(skipped.filter((one) => one.failure?.code === failure.code).map(({kind}) => words[kind]));
  return new Failure(failure.code, `Cannot look at ${[...kinds].join(', ')} of ${host}: ${failure.message}`, failure.details);
}

/** The failure that a run with such gaps ends in: an answer that cannot be relied on before anything else. */
export function failureOf(skipped: readonly Skipped[]): Failure | undefined {
  const failures = skipped.flatMap(({failure}) => failure ?? []);
  return failures.find(({code}) => code === 'bad_answer') ?? failures[0];
}
