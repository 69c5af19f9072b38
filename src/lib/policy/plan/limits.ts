/** How many items servers are known to take, to warn of before anything is sent. Servers do not publish them, but their release says the defaults. */
import type {Client} from '../../client/client.js';
import {Failure, isInterruption} from '../../client/failure.js';
import {serverRelease} from '../../operations/server-release.js';
import type {Change} from '../model/change.js';
import {holding, holdingInPlans, type HoldingSection, shownSubject} from '../sections/index.js';
import type {Holding, Limit} from '../section/section.js';
import type {ItemKind} from '../model/section-types.js';
import type {State} from '../model/server-state.js';
import {firstOf} from '../../json/text.js';

/** The last release with the lower limits. */
const lastOlder = [0, 12, 6] as const;

/** A section of which servers take only so many items. */
type LimitedSection = HoldingSection & {readonly holding: Holding & {readonly limit: Limit}};

const isLimited = (section: HoldingSection): section is LimitedSection => section.holding.limit !== undefined;
const limited = holdingInPlans.filter(isLimited);

/** Additions beyond a limit: the last ones of a plan. */
export interface Beyond {
  readonly kind: ItemKind;
  readonly limit: number;
  readonly subjects: readonly string[];
}

export interface PlanLimits {
  /** Warnings for people about what does not fit. */
  readonly limits: readonly string[];
  readonly beyond: readonly Beyond[];
}

/** How many of each kind the server has. */
export type Present = ReadonlyMap<ItemKind, number>;

export function presentIn(state: State, now: Date): Present {
  return new Map(holding.map(({kind, holding: {there}}) => [kind, there(state, now)?.size ?? 0]));
}

/** There may be very many changes: they are counted without a list of those that are meant. */
function countChanges(changes: readonly Change[], kind: ItemKind, action: Change['action']): number {
  let some = 0;
  for (const change of changes) if (change.kind === kind && (action === undefined || change.action === action)) some += 1;
  return some;
}

function beyondLimit(changes: readonly Change[], present: Present, kind: ItemKind, limit: number): Beyond | undefined {
  const added = countChanges(changes, kind, 'add');
  const excess = (present.get(kind) ?? 0) + added - countChanges(changes, kind, 'remove') - limit;
  if (excess <= 0 || added === 0) return undefined;
  let fitting = Math.max(0, added - excess);
  const isBeyond = (change: Change) => change.kind === kind && change.action === 'add' && (fitting -= 1) < 0;
  return {kind, limit, subjects: changes.filter(isBeyond).map(({subject}) => subject)};
}

const maxNamed = 10;

function namesText(names: readonly string[]): string {
  return firstOf(names, maxNamed);
}

/** Whether the limits of a release are the lower ones; undefined for a text that names no release. */
function isOlder(release: string): boolean | undefined {
  const found = /^v?(\d+)\.(\d+)\.(\d+)/.exec(release);
  if (found === null) return undefined;
  for (const [index, last] of lastOlder.entries()) {
    const part = Number(found[index + 1]);
    if (part !== last) return part < last;
  }
  return true;
}

/**
 * Names what does not fit: the last additions, because the most important are sent first.
 * @param release of the server, as in `0.12.6`; undefined: unknown, and then both limits are named
 */
export function limitsHit(changes: readonly Change[], state: State, now: Date, release?: string): PlanLimits {
  const present = presentIn(state, now);
  const isOld = release === undefined ? undefined : isOlder(release);
  const beyond = limited.flatMap(
    ({kind, holding: {limit}}) => beyondLimit(changes, present, kind, isOld === true ? limit.older : limit.newer) ?? [],
  );
  const areBoth = ({limit}: LimitedSection['holding']) => isOld === undefined && limit.older < limit.newer;
  const older = limited
    .filter((section) => areBoth(section.holding) && !beyond.some(({kind}) => kind === section.kind))
    .flatMap(({kind, holding: {limit}}) => beyondLimit(changes, present, kind, limit.older) ?? []);
  const last = lastOlder.join('.');
  const text = ({kind, limit, subjects}: Beyond): string => {
    const section = limited.find((one) => one.kind === kind)?.holding;
    if (section === undefined) throw new Error(`Servers do not limit the number of ${kind}`);
    const after = (present.get(kind) ?? 0) + countChanges(changes, kind, 'add') - countChanges(changes, kind, 'remove');
    const isOfAll = isOld === undefined && limit === section.limit.newer;
    const servers = isOfAll ? 'most servers' : `servers of release ${isOld === undefined ? last : release}`;
    const [others, room] =
      isOfAll && areBoth(section) ? [`, those of release ${last} take ${section.limit.older}`, ` in ${limit}`] : ['', ''];
    return `${after} ${section.limit.words}; ${servers} take ${limit}${others}. What does not fit${room}: ${namesText(subjects.map((subject) => shownSubject({kind, subject})))}`;
  };
  return {beyond, limits: [...beyond, ...older].map(text)};
}

/** The release of a server; undefined where the server does not say. */
async function releaseOf(client: Client): Promise<string | undefined> {
  try {
    return (await serverRelease(client)).version ?? undefined;
  } catch (error) {
    // It only says more exactly what a warning is about.
    if (error instanceof Failure && !isInterruption(error)) return undefined;
    throw error;
  }
}

/** What of a plan a server is known not to have room for. Its release is asked for only where the limit depends on it. */
export async function limitsOn(client: Client, changes: readonly Change[], state: State, now: Date): Promise<PlanLimits> {
  const present = presentIn(state, now);
  const isOpen = limited.some(
    ({kind, holding: {limit}}) => limit.older < limit.newer && beyondLimit(changes, present, kind, limit.older) !== undefined,
  );
  return limitsHit(changes, state, now, isOpen ? await releaseOf(client) : undefined);
}
