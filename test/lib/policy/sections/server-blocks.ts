/** A model of what servers do with blocks of domains for everybody. */
import {requestOf} from '../../../../src/lib/policy/plan/requests.js';
import type {Change} from '../../../../src/lib/policy/model/change.js';
import {blocked, type DomainFacts, plainFacts} from '../../../../src/lib/policy/model/domain-facts.js';
import type {OwnershipRecord} from '../../../../src/lib/policy/state-file/record.js';
import {withNotes} from '../../../../src/lib/policy/sections/domains/server-block-change.js';
import {
  afterUndo,
  beginApply,
  finishApply,
  withNewIds,
  withoutGone,
  withUnrecorded,
} from '../../../../src/lib/policy/state-file/ownership.js';
import {recordDone, withSent} from '../recorded.js';
import type {State} from '../../../../src/lib/policy/model/server-state.js';
import {makePlan, type PlannedChanges} from '../../../../src/lib/policy/plan/plan.js';
import {makeUndo, newIdsOf} from '../../../../src/lib/policy/plan/undo.js';
import {requestsFor} from '../../../../src/lib/operations/operation.js';
import {parentsOf} from '../../../../src/lib/operations/domains.js';
import {circumstances} from '../model-server.js';
import {wantedBy} from '../wanted.js';

export type Software = 'mastodon' | 'pixelfed';

/** The rows of a server; on Pixelfed, `noop` is a server that is known, with its notes. */
export interface BlockServer {
  readonly software: Software;
  readonly rows: ReadonlyMap<string, DomainFacts & {readonly id: string}>;
  /** How many it has made: each gets an id of its own. */
  readonly made?: number;
}

export const server = (software: Software, rows: Readonly<Record<string, Partial<DomainFacts>>> = {}): BlockServer => ({
  software,
  rows: new Map(
    Object.entries(rows).map(([domain, facts], index) => [domain, {...kept(software, {...blocked, ...facts}), id: String(index + 1)}]),
  ),
});

function kept(software: Software, {severity, private_comment, ...facts}: DomainFacts): DomainFacts {
  return plainFacts(software === 'pixelfed' ? {severity, private_comment} : {severity, private_comment, ...facts});
}

export function stateOf({software, rows}: BlockServer): State {
  const all = [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([domain, {id, ...facts}]) => ({domain, id, facts}));
  const entries = all.filter(({facts}) => facts.severity !== 'noop').map(({domain, id, facts}) => [domain, {id, facts}] as const);
  const unblocked = all.filter(({facts}) => facts.severity === 'noop' && software === 'mastodon');
  return {
    server: 'https://pix.example',
    host: 'pix.example',
    admin_domain_blocks: {value: new Map(entries)},
    blocking: {
      software,
      hosts: ['pix.example', 'pix-names.example'],
      unblocked: new Map(unblocked.map(({domain, facts}) => [domain, facts])),
    },
  };
}

/** What a request makes of a server, as recorded of Pixelfed, and as Mastodon documents it. @throws what no plan may send */
export function send(before: BlockServer, change: Change): BlockServer {
  const {software, made = 0} = before;
  const {endpoint, input} = requestOf(change, new Date());
  const method = requestsFor(endpoint, input)[0]?.method;
  const rows = new Map(before.rows);
  const body: Record<string, unknown> = {...input.body};
  const said = (stood?: DomainFacts): DomainFacts =>
    kept(software, {...(software === 'mastodon' ? stood : undefined), ...body, severity: severityIn(body)});
  if (method === 'POST') {
    const domain = String(body['domain']);
    const stood = rows.get(domain);
    if (stood !== undefined && stood.severity !== 'noop') throw new Error(`${domain} is blocked`);
    const above = software === 'mastodon' ? parentsOf(domain).find((parent) => rows.has(parent)) : undefined;
    const [one, other] = [said(stood), rows.get(above ?? '')];
    if (other !== undefined && !isStricter(one, other)) throw new Error(`${domain} is covered by ${above}`);
    rows.set(domain, {...one, id: stood?.id ?? `new-${made + 1}`});
    return {software, rows, made: made + 1};
  }
  const [domain, row] = [...rows].find(([, {id}]) => id === input.path?.['id']) ?? [];
  if (domain === undefined || row === undefined || (software === 'pixelfed' && row.severity === 'noop'))
    throw new Error('Record not found');
  if (method === 'PUT') rows.set(domain, {...said(row), id: row.id});
  else if (software === 'mastodon') rows.delete(domain);
  else rows.set(domain, {...row, severity: 'noop'});
  return {software, rows, made};
}

/** As Mastodon compares a block with that of the nearest domain above it. */
function isStricter(one: DomainFacts, other: DomainFacts): boolean {
  if (one.severity === 'suspend') return true;
  if (other.severity === 'suspend' || (other.severity === 'silence' && one.severity === 'noop')) return false;
  return (one.reject_media === true || other.reject_media !== true) && (one.reject_reports === true || other.reject_reports !== true);
}

function severityIn({severity}: Record<string, unknown>): DomainFacts['severity'] {
  if (severity === 'suspend' || severity === 'silence' || severity === 'noop') return severity;
  throw new Error('Without a severity, servers silence');
}

export const nobody: OwnershipRecord = {server: 'https://pix.example', account: '@ana', policy: 'p.yml', owned: [], applies: []};

type PlannedUndo = ReturnType<typeof makeUndo>;

/** A server, and what the state file of a policy says of it. */
export interface Desk {
  readonly server: BlockServer;
  readonly record: OwnershipRecord;
}

export function planOf(policy: string, {server: at, record}: Desk, lists: Readonly<Record<string, string>> = {}): PlannedChanges {
  const state = stateOf(at);
  const {owned, watched} = withoutGone(withUnrecorded(record, state, circumstances.now), state, circumstances.now);
  return makePlan(wantedBy(policy, lists), state, owned, {...circumstances, watched});
}

/** A change with what it overwrites. */
function prepared(change: Change, {software, rows}: BlockServer): Change {
  if (change.kind !== 'admin_domain_block' || software !== 'pixelfed') return change;
  return withNotes(change, rows.get(change.subject)?.private_comment);
}

/** @param count of the changes before it is killed; undefined: none. The last one may be made and not recorded */
export function apply(
  policy: string,
  desk: Desk,
  lists: Readonly<Record<string, string>> = {},
  killed?: {readonly after: number; readonly isLost: boolean},
): Desk {
  const state = stateOf(desk.server);
  const known = withoutGone(withUnrecorded(desk.record, state, circumstances.now), state, circumstances.now);
  const planned = makePlan(wantedBy(policy, lists), state, known.owned, {...circumstances, watched: known.watched}).changes;
  const changes = planned.map((change) => prepared(change, desk.server));
  let [at, record] = [desk.server, beginApply(known, changes, state, circumstances.now)];
  for (const [index, change] of changes.entries()) {
    record = withSent(record, change);
    if (killed?.after === index) return {server: killed.isLost ? send(at, change) : at, record};
    at = send(at, change);
    record = recordDone(record, change, idAt(at, change));
  }
  return {server: at, record: finishApply(record)};
}

export function undo({server: at, record: saved}: Desk): Desk & {readonly lost: PlannedUndo['lost']} {
  const state = stateOf(at);
  const record = withUnrecorded(saved, state, circumstances.now);
  const last = record.applies.at(-1);
  if (last === undefined) return {server: at, record, lost: []};
  const {changes, again, lost} = makeUndo(last, state, circumstances.now);
  const left = changes.reduce(send, at);
  const known = withNewIds(
    record,
    newIdsOf(again, (as) => (typeof as === 'string' ? as : idAt(left, as))),
  );
  return {server: left, record: afterUndo(known), lost};
}

const idAt = ({rows}: BlockServer, {action, subject}: Change) => (action === 'add' ? rows.get(subject)?.id : undefined);

/** What a person removes and makes again, who takes its entry with them. */
export function madeAgain(desk: Desk, domain: string, facts: DomainFacts): Desk {
  const {rows} = desk.server;
  return {...desk, server: {...desk.server, rows: new Map([...rows, [domain, {...facts, id: `hand-${domain}`}]])}};
}

export function removedByHand(desk: Desk, domain: string): Desk {
  return {...desk, server: {...desk.server, rows: new Map([...desk.server.rows].filter(([one]) => one !== domain))}};
}

/** What is blocked, and how; with what else a server keeps. */
export const seen = ({rows}: BlockServer) =>
  Object.fromEntries(
    [...rows]
      .filter(([, {severity, private_comment}]) => severity !== 'noop' || private_comment !== undefined)
      .map(([domain, {id: _, ...facts}]) => [domain, facts])
      .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
  );
