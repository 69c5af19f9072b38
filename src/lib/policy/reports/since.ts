/** What is new since an earlier audit, what is still open and what is resolved. */
import {normalize} from 'node:path';
import * as z from 'zod/mini';
import {once} from '../../api/schema.js';
import {localFailure, Failure} from '../../client/failure.js';
import {readText} from '../../files/read-file.js';
import {systemCode} from '../../files/system-error.js';
import type {FindingJson} from '../model/documents.js';
import {type About, type Difference, type Skipped, unknownAccount} from '../model/difference.js';
import {findingKinds, findingShape} from '../sections/finding-shape.js';

/** An audit compared with an earlier one of the same account and policy. */
export interface Since {
  /** The earlier report. */
  readonly file: string;
  /** The findings that the earlier report does not have; all others are still open. */
  readonly added: ReadonlySet<Difference>;
  readonly resolved: readonly FindingJson[];
  /** Findings of the earlier report about what could not be read this time. */
  readonly unread: readonly FindingJson[];
  /** Whether only what is new fails the run. */
  readonly isOpenAccepted: boolean;
}

export type FindingStatus = 'new' | 'open' | 'resolved';

/** Undefined for a report that was not compared with an earlier one. */
export function statusOf({since}: {readonly since?: Since | undefined}, finding: Difference): FindingStatus | undefined {
  return since && (since.added.has(finding) ? 'new' : 'open');
}

/** Findings with the new ones first, where they were compared with an earlier report. */
export function newFirst(findings: readonly Difference[], {since}: {readonly since?: Since | undefined}): readonly Difference[] {
  if (since === undefined) return findings;
  return [...findings.filter((one) => since.added.has(one)), ...findings.filter((one) => !since.added.has(one))];
}

/** The findings of an audit by rule, what is new first. Made once, because there may be very many. */
export function byRule(report: Findings): ReadonlyMap<string, readonly Difference[]> {
  const known = knownByRule.get(report);
  if (known !== undefined) return known;
  const all = Map.groupBy(newFirst(report.findings, report), ({rule}) => rule);
  knownByRule.set(report, all);
  return all;
}

const knownByRule = new WeakMap<Findings, ReadonlyMap<string, readonly Difference[]>>();

interface Findings {
  readonly findings: readonly Difference[];
  readonly since?: Since | undefined;
}

type Identified = Pick<FindingJson, 'kind' | 'rule' | 'subject' | 'wanted'>;

/**
 * Yields findings with what identifies each in its audit: the same as long as the difference exists, wherever the policy has its
 * line and whatever the server has instead. The same finding twice is numbered.
 */
export function* identified<Finding extends Identified>(findings: Iterable<Finding>): Generator<readonly [identity: string, Finding]> {
  yield* numbered(findings, ({rule, kind, subject, wanted}) => JSON.stringify([rule, kind, subject, wanted]));
}

/** Yields items with keys that are all different: the second of one key is numbered. */
export function* numbered<Item>(items: Iterable<Item>, keyOf: (item: Item) => string): Generator<readonly [key: string, Item]> {
  const counts = new Map<string, number>();
  for (const item of items) {
    const key = keyOf(item);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    yield [count === 1 ? key : `${key}:${count}`, item];
  }
}

/** Identifies an audit: `./p.yml` is `p.yml`. */
export function auditIdentity({server, account, policy}: About): string {
  return JSON.stringify([server, account, normalize(policy)]);
}

const earlierAudit = once(() => {
  const findings = z.array(z.object(findingShape()));
  return z.object({
    server: z.string(),
    account: z.string(),
    policy: z.string(),
    findings,
    skipped: z._default(z.array(z.object({kind: z.enum(findingKinds), code: z.optional(z.string())})), []),
    unread: z._default(findings, []),
  });
});
type EarlierAudit = z.infer<ReturnType<typeof earlierAudit>>;

/** An earlier report, as `audit --json` and `--report json=FILE` write it. */
interface EarlierReport {
  readonly file: string;
  /** Undefined where there is no report yet. */
  readonly audits: readonly EarlierAudit[] | undefined;
}

/** @throws Failure `local` when it cannot be read, `usage` when it is not a report with audits */
export async function readEarlierReport(file: string): Promise<EarlierReport> {
  const text = await readText(file).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw localFailure(`Cannot read the earlier report ${file}`, error);
  });
  if (text === undefined) return {file, audits: undefined};
  const audits = parsedAudits(text);
  if (audits === undefined) {
    throw new Failure('usage', `${file} is not a JSON report of an audit`, {
      hint: 'use one from `pixelctl audit --report json=FILE`, of a run without mistakes in the policy',
    });
  }
  return {file, audits};
}

/** Without a private comment, which an audit with --show-private may have written. */
function published({details: {private_comment: _, ...details} = {}, ...finding}: FindingJson): FindingJson {
  return Object.keys(details).length === 0 ? finding : {...finding, details};
}

function parsedAudits(text: string): EarlierAudit[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const audits = z.parse(z.array(earlierAudit()), Array.isArray(value) ? value : [value]);
    return audits.map((audit) => ({...audit, findings: audit.findings.map(published), unread: audit.unread.map(published)}));
  } catch {
    return undefined;
  }
}

/** The earlier audit of the same account and policy. An account whose name is not known is the one on the same server. */
function earlierOf({server, account, policy}: About, audits: readonly EarlierAudit[]): EarlierAudit | undefined {
  const same = audits.filter((one) => one.server === server && normalize(one.policy) === normalize(policy));
  const named = same.find((one) => one.account === account);
  if (named !== undefined) return named;
  const unnamed = account === unknownAccount ? same : same.filter((one) => one.account === unknownAccount);
  return unnamed.length === 1 ? unnamed[0] : undefined;
}

interface Audited extends About {
  readonly findings: readonly Difference[];
  readonly skipped: readonly Skipped[];
}

/**
 * Compares an audit with the earlier one of the same account and policy. Without one, all of its findings are new.
 * @returns also remarks on what counts as new although it may not be
 */
export function comparedWith(
  {file, audits}: EarlierReport,
  audited: Audited,
  isOpenAccepted: boolean,
): {readonly since: Since; readonly remarks: readonly string[]} {
  const earlier = audits && earlierOf(audited, audits);
  const before = new Map(identified([...(earlier?.findings ?? []), ...(earlier?.unread ?? [])]));
  const added = new Set<Difference>();
  for (const [identity, finding] of identified(audited.findings)) {
    if (!before.delete(identity)) added.add(finding);
  }
  const unseen = new Set(audited.skipped.flatMap(({kind, failure}) => (failure ? kind : [])));
  const unknown = new Set(audited.skipped.flatMap(({heldBy, kind, subject}) => (heldBy?.how === 'unknown' ? `${kind} ${subject}` : [])));
  const isUnseen = ({kind, subject}: FindingJson) => unseen.has(kind) || unknown.has(`${kind} ${subject}`);
  const gone = [...before.values()];
  return {
    since: {file, added, resolved: gone.filter((one) => !isUnseen(one)), unread: gone.filter(isUnseen), isOpenAccepted},
    remarks: audits === undefined ? [] : remarksOn(audited, earlier, file),
  };
}

function remarksOn({findings}: Audited, earlier: EarlierAudit | undefined, file: string): string[] {
  if (earlier === undefined) return [`${file} has no audit of this account and policy: everything counts as new`];
  // What an audit could not read it passes on from the one before it.
  const passedOn = new Set(earlier.unread.map(({kind}) => kind));
  const blind = new Set(earlier.skipped.flatMap(({kind, code}) => (code === undefined || passedOn.has(kind) ? [] : kind)));
  return [...blind]
    .filter((kind) => findings.some((one) => one.kind === kind))
    .map((kind) => `${file} could not check ${kind}: its differences count as new`);
}
