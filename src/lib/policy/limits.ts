/** Known limits of servers, to warn of before anything is sent. Servers do not publish them, but their release says the defaults. */
import type {Client} from '../client/client.js';
import {Failure} from '../client/failure.js';
import {textAt} from '../json/path.js';
import {serverRelease} from '../operations/server-release.js';
import type {Change} from './change.js';
import {liveFilters, valueOf, type FilterState, type Part, type State} from './state.js';

const mostKeywords = 10;
const longestKeyword = 40;
const longestTitle = 100;
const additionsAnHour = 20;
const updatesAnHour = 40;
/** Letters, marks, digits, spaces and punctuation; no symbols, and no character twenty times over. */
const storableKeyword = /^[\p{L}\p{M}\p{N}\p{P}\s]+$/u;
const endlessRepetition = /(.)\1{20}/u;

const contexts = ['home', 'public', 'tags'];

/** Kinds that servers limit the number of. */
type Counted = 'block' | 'domain_block' | 'filter' | 'mute';

/** The last release with the lower limits. */
const lastWithFewest = [0, 12, 6] as const;
/** The default limits up to that release; administrators can raise them. */
const fewest: Readonly<Record<Counted, number>> = {block: 50, domain_block: 50, filter: 20, mute: 50};
/** Those of later releases. */
const most: Readonly<Record<Counted, number>> = {block: 200, domain_block: 100, filter: 20, mute: 500};
const words: Readonly<Record<Counted, string>> = {
  block: 'accounts would be blocked',
  domain_block: 'domains would be blocked',
  filter: 'filters would be there',
  mute: 'accounts would be muted',
};

/** Additions beyond a limit: the last ones of a plan. */
export interface Beyond {
  readonly kind: Counted;
  readonly limit: number;
  readonly subjects: readonly string[];
}

export interface Limits {
  /** Warnings for people about what servers are known to refuse. */
  readonly limits: readonly string[];
  readonly beyond: readonly Beyond[];
}

/** How many of each kind the server has. */
export type Present = Readonly<Record<Counted, number>>;

export function presentIn({domainBlocks, blocks, mutes, filters}: State, now: Date): Present {
  const sizeOf = (part: Part<ReadonlyMap<string, unknown>> | undefined) => valueOf(part)?.size ?? 0;
  return {
    domain_block: sizeOf(domainBlocks),
    block: sizeOf(blocks),
    mute: sizeOf(mutes),
    filter: liveFilters(valueOf(filters) ?? [], now).length,
  };
}

/** Whether there is room for the additions before anything is removed. */
export function hasRoom(kind: Exclude<Counted, 'filter'>, present: number, additions: number): boolean {
  return present + additions <= fewest[kind];
}

function count(changes: readonly Change[], kind: Change['kind'], action: Change['action']): number {
  return changes.filter((change) => change.kind === kind && change.action === action).length;
}

function beyondLimit(changes: readonly Change[], present: Present, kind: Counted, limit: number): Beyond | undefined {
  const added = changes.filter((change) => change.kind === kind && change.action === 'add').map(({subject}) => subject);
  const after = present[kind] + added.length - count(changes, kind, 'remove');
  return after > limit && added.length > 0 ? {kind, limit, subjects: added.slice(Math.max(0, added.length - (after - limit)))} : undefined;
}

const mostNamed = 10;

function namesText(names: readonly string[]): string {
  const rest = names.length - mostNamed;
  return names.slice(0, mostNamed).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

const kinds = ['domain_block', 'block', 'mute', 'filter'] as const;

/** Whether the limits of a release are the lower ones; undefined for a text that names no release. */
function hasFewest(release: string): boolean | undefined {
  const found = /^v?(\d+)\.(\d+)\.(\d+)/.exec(release);
  if (found === null) return undefined;
  for (const [index, last] of lastWithFewest.entries()) {
    const part = Number(found[index + 1]);
    if (part !== last) return part < last;
  }
  return true;
}

/**
 * Names what does not fit: the last additions, because the most important are sent first.
 * @param release of the server; undefined: unknown, and then both limits are named
 */
function roomLimits(changes: readonly Change[], present: Present, release: string | undefined): Limits {
  const isOld = release === undefined ? undefined : hasFewest(release);
  const beyond = kinds.flatMap((kind) => beyondLimit(changes, present, kind, (isOld === true ? fewest : most)[kind]) ?? []);
  const areBoth = (kind: Counted) => isOld === undefined && fewest[kind] < most[kind];
  const older = kinds
    .filter((kind) => areBoth(kind) && !beyond.some((one) => one.kind === kind))
    .flatMap((kind) => beyondLimit(changes, present, kind, fewest[kind]) ?? []);
  const last = lastWithFewest.join('.');
  const text = ({kind, limit, subjects}: Beyond): string => {
    const after = present[kind] + count(changes, kind, 'add') - count(changes, kind, 'remove');
    const isOfAll = isOld === undefined && limit === most[kind];
    const servers = isOfAll ? 'most servers' : `servers of release ${isOld === undefined ? last : release}`;
    const [others, room] = isOfAll && areBoth(kind) ? [`, those of release ${last} take ${fewest[kind]}`, ` in ${limit}`] : ['', ''];
    return `${after} ${words[kind]}; ${servers} take ${limit}${others}. What does not fit${room}: ${namesText(subjects)}`;
  };
  return {beyond, limits: [...beyond, ...older].map(text)};
}

function quotaLimits(changes: readonly Change[]): string[] {
  const added = count(changes, 'filter', 'add');
  const updated = count(changes, 'filter', 'update');
  return [
    ...(added > additionsAnHour ? [`${added} filters are new; servers take ${additionsAnHour} an hour, so this needs several runs`] : []),
    ...(updated > updatesAnHour
      ? [`${updated} updates of filters; servers take ${updatesAnHour} an hour, so this needs several runs`]
      : []),
  ];
}

interface Content {
  readonly title: string;
  readonly context: readonly string[];
  readonly added: readonly string[];
  readonly keywords: number;
}

function contentOf(change: Change, filters: readonly FilterState[]): Content | undefined {
  if (change.kind !== 'filter' || change.action === 'remove') return undefined;
  const title = change.subject;
  if (change.action === 'add') {
    const {context, keywords} = change.details;
    return {title, context, added: keywords.map(({keyword}) => keyword), keywords: keywords.length};
  }
  const {id, context = [], add, remove} = change.details;
  const before = filters.find((filter) => filter.id === id)?.keywords.length ?? 0;
  return {title, context, added: add.map(({keyword}) => keyword), keywords: before + add.length - remove.length};
}

function contentLimits({title, context, added, keywords}: Content): string[] {
  const strange = context.filter((one) => !contexts.includes(one));
  const unfit = added.filter(
    (keyword) => !storableKeyword.test(keyword) || endlessRepetition.test(keyword) || [...keyword].length > longestKeyword,
  );
  const filter = `the filter "${title}"`;
  return [
    ...([...title].length > longestTitle ? [`${filter} has a title of more than ${longestTitle} characters, which servers refuse`] : []),
    ...(strange.length > 0 ? [`${filter} holds in ${strange.join(', ')}; most servers of this kind only know ${contexts.join(', ')}`] : []),
    ...(keywords > mostKeywords ? [`${filter} would have ${keywords} keywords; servers take ${mostKeywords}`] : []),
    ...(added.length === 0 && keywords === 0 ? [`${filter} would have no keywords, which servers refuse in a new one`] : []),
    ...unfit.map(
      (keyword) =>
        `${filter}: servers refuse the keyword "${keyword}": letters, digits, spaces and punctuation, at most ${longestKeyword} of them`,
    ),
  ];
}

/** Keywords that other filters have already: servers accept a keyword in one filter only. */
function takenKeywords(changes: readonly Change[], filters: readonly FilterState[]): string[] {
  const freed = new Set(
    changes.flatMap((change) => {
      if (change.kind !== 'filter' || change.action === 'add') return [];
      const {id} = change.details;
      const gone = change.action === 'remove' ? (filters.find((filter) => filter.id === id)?.keywords ?? []) : change.details.remove;
      return gone.map(({keyword}) => `${id}\n${keyword}`);
    }),
  );
  const holder = new Map(
    filters.flatMap(({id, title, keywords}) =>
      keywords.filter(({keyword}) => !freed.has(`${id}\n${keyword}`)).map(({keyword}) => [keyword, title] as const),
    ),
  );
  return changes.flatMap((change) =>
    (contentOf(change, filters)?.added ?? []).flatMap((keyword) => {
      const title = holder.get(keyword);
      return title === undefined
        ? []
        : [
            `the keyword "${keyword}" of the filter "${change.subject}" is in the filter "${title}"; servers take a keyword in one filter only`,
          ];
    }),
  );
}

/** The release of a server, from the configuration where that was read; undefined where the server does not say. */
async function releaseOf(client: Client, {config}: State): Promise<string | undefined> {
  const read = textAt(valueOf(config), ['version']);
  if (read !== undefined) return read;
  try {
    return (await serverRelease(client)).version ?? undefined;
  } catch (error) {
    // It only says more exactly what a warning is about.
    if (error instanceof Failure && error.code !== 'interrupted' && error.code !== 'terminated') return undefined;
    throw error;
  }
}

/** What a server is known to refuse in a plan. Its release is asked for only where the limit depends on it. */
export async function limitsOn(client: Client, changes: readonly Change[], state: State, now: Date): Promise<Limits> {
  const present = presentIn(state, now);
  const isOpen = kinds.some((kind) => fewest[kind] < most[kind] && beyondLimit(changes, present, kind, fewest[kind]) !== undefined);
  return limitsHit(changes, state, now, isOpen ? await releaseOf(client, state) : undefined);
}

/**
 * What servers are known to refuse in a plan.
 * @param release of the server, as in `0.12.6`; undefined: unknown
 */
export function limitsHit(changes: readonly Change[], state: State, now: Date, release?: string): Limits {
  const filters = liveFilters(valueOf(state.filters) ?? [], now);
  const {limits, beyond} = roomLimits(changes, presentIn(state, now), release);
  return {
    beyond,
    limits: [
      ...limits,
      ...quotaLimits(changes),
      ...changes.flatMap((change) => {
        const content = contentOf(change, filters);
        return content ? contentLimits(content) : [];
      }),
      ...takenKeywords(changes, filters),
    ],
  };
}
