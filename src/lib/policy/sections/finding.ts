/** Differences in JSON as they are read again, and the names of what could not be read. */
import * as z from 'zod/mini';
import {once} from '../../api/schema.js';
import {Failure} from '../../client/failure.js';
import {byHandField} from '../model/by-hand.js';
import {domainFacts} from '../model/change.js';
import {failureOfSkipped, type Kind, type Skipped} from '../model/difference.js';
import {sectionKinds, sectionOf} from './index.js';

export const findingKinds: readonly Kind[] = [...sectionKinds, 'unchecked' as const].sort();

/** The fields of a difference in JSON, for programs, plan files and later audits. */
export const findingShape = once(() => ({
  rule: z.string(),
  kind: z.enum(findingKinds),
  subject: z.string(),
  wanted: z.string(),
  actual: z.string(),
  source: z.string(),
  fix: z.string(),
  /** Of a domain or an account that is missing: what the policy and its lists say about it. */
  details: z.optional(domainFacts()),
  by_hand: byHandField(),
}));

/** The failure to read parts of the state, with their names. */
export function blindness(skipped: readonly Skipped[], host: string): Failure | undefined {
  const failure = failureOfSkipped(skipped);
  if (failure === undefined) return undefined;
  const unread = skipped.filter((one) => one.failure?.code === failure.code);
  const names = new Set(unread.flatMap(({kind}) => sectionOf(kind)?.words.all ?? []));
  return new Failure(failure.code, `Cannot read ${[...names].join(', ')} of ${host}: ${failure.message}`, failure.details);
}
