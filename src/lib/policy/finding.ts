/** What an audit finds, and what it could not look at. */
import type {Failure} from '../client/failure.js';
import {placeText, type Place} from './place.js';

export type Kind = 'block' | 'config' | 'domain_block' | 'filter' | 'mute' | 'push';

export interface Finding {
  /** Path of the rule in the policy: `domain_blocks.must`. */
  readonly rule: string;
  readonly kind: Kind;
  /** The domain, title, account or setting. */
  readonly subject: string;
  readonly wanted: string;
  readonly actual: string;
  readonly source: Place;
  /** What to do about it. */
  readonly fix: string;
  /** Whether a plan can mend it; for push, only together with the other settings. */
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

export function findingJson({rule, kind, subject, wanted, actual, source, fix}: Finding): Record<string, string> {
  return {rule, kind, subject, wanted, actual, source: placeText(source), fix};
}

export function skippedJson({kind, subject, why, failure}: Skipped): Record<string, string> {
  return {kind, ...(subject !== undefined && {subject}), why, ...(failure && {code: failure.code})};
}

/** The failure that a run with such gaps ends in: an answer that cannot be relied on before anything else. */
export function failureOf(skipped: readonly Skipped[]): Failure | undefined {
  const failures = skipped.flatMap(({failure}) => failure ?? []);
  return failures.find(({code}) => code === 'bad_answer') ?? failures[0];
}
