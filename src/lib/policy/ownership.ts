/** The state file: who made what on which server, and how it was before the last applies. */
import * as z from 'zod/mini';
import {Failure} from '../client/failure.js';
import type {Change} from './change.js';
import {complaintsOf, refuseMistakes} from './mistakes.js';
import type {Owned} from './owned.js';
import {compareText} from './place.js';
import {liveFilters, valueOf, type FilterState, type State} from './state.js';

const filterState = z.strictObject({
  id: z.string(),
  title: z.string(),
  context: z.array(z.string()),
  action: z.string(),
  expiresAt: z.nullable(z.string()),
  keywords: z.array(z.strictObject({id: z.number(), keyword: z.string(), wholeWord: z.boolean()})),
});

const owned = z.strictObject({
  domainBlocks: z.array(z.string()),
  filters: z.array(z.strictObject({id: z.string(), title: z.string()})),
});

/** What an apply touched, as it was before; a filter that was not there has no `was`, and its id is known once it is made. */
const savedApply = z.strictObject({
  at: z.string(),
  isFinished: z.boolean(),
  /** The kept plan that it carries out, by its content. */
  plan: z.optional(z.string()),
  owned,
  domainBlocks: z.array(z.strictObject({domain: z.string(), wasBlocked: z.boolean()})),
  filters: z.array(z.strictObject({id: z.nullable(z.string()), title: z.string(), was: z.nullable(filterState)})),
  pushWasOn: z.boolean(),
});

const record = z.strictObject({server: z.string(), account: z.string(), policy: z.string(), owned, applies: z.array(savedApply)});
const ownershipFile = z.strictObject({version: z.literal(1), records: z.array(record)});

export type SavedApply = z.infer<typeof savedApply>;
export type OwnershipRecord = z.infer<typeof record>;
export type OwnershipFile = z.infer<typeof ownershipFile>;

/** Whose record: one account of one server, under one policy. */
export interface Owner {
  readonly server: string;
  readonly account: string;
  /** The policy's name, the same wherever it is checked out. */
  readonly policy: string;
}

/** Applies that can be taken back, one after the other. */
const mostApplies = 10;

export const emptyOwnership: OwnershipFile = {version: 1, records: []};

/** @throws Failure `local` when it is no state file */
export function readOwnership(text: string, file: string): OwnershipFile {
  try {
    const value: unknown = JSON.parse(text);
    refuseMistakes(
      file,
      complaintsOf(ownershipFile, value).map(({path, message}) => ({file, line: 1, message: `${path.join('.')}: ${message}`})),
    );
    return z.parse(ownershipFile, value);
  } catch (error) {
    throw new Failure(
      'local',
      `${file} is not a state file that this version reads${error instanceof Failure ? `: ${error.message}` : ''}`,
      {
        hint: 'move it away to begin anew: then less is removed, and nothing can be taken back',
        cause: error,
      },
    );
  }
}

function isOf(one: OwnershipRecord, {server, account, policy}: Owner): boolean {
  return one.server === server && one.account === account && one.policy === policy;
}

export function ownershipText(file: OwnershipFile): string {
  const records = file.records.toSorted(
    (one, other) =>
      compareText(one.server, other.server) || compareText(one.account, other.account) || compareText(one.policy, other.policy),
  );
  return `${JSON.stringify({...file, records}, null, 2)}\n`;
}

export function recordOf(file: OwnershipFile, owner: Owner): OwnershipRecord {
  return file.records.find((one) => isOf(one, owner)) ?? {...owner, owned: {domainBlocks: [], filters: []}, applies: []};
}

export function withRecord(file: OwnershipFile, changed: OwnershipRecord): OwnershipFile {
  return {...file, records: [...file.records.filter((one) => !isOf(one, changed)), changed]};
}

function sorted({domainBlocks, filters}: Owned): OwnershipRecord['owned'] {
  return {
    domainBlocks: [...new Set(domainBlocks)].sort(compareText),
    filters: filters.toSorted((one, other) => compareText(one.id, other.id)),
  };
}

/** The record as it is before an apply begins: with how everything was that the apply touches. Nothing to do changes nothing. */
export function beginApply(before: OwnershipRecord, changes: readonly Change[], state: State, at: Date): OwnershipRecord {
  if (changes.length === 0) return before;
  const last = before.applies.at(-1);
  const saved = savedBefore(before.owned, changes, state, at);
  // An apply that was killed and is run again is one apply: what it found the first time is what there was.
  if (last && !last.isFinished) return {...before, applies: [...before.applies.slice(0, -1), joined(last, saved)]};
  return {...before, applies: [...before.applies, saved].slice(-mostApplies)};
}

function savedBefore(ownedBefore: OwnershipRecord['owned'], changes: readonly Change[], state: State, at: Date): SavedApply {
  const filters = valueOf(state.filters) ?? [];
  const copy = ({id, title, context, action, expiresAt, keywords}: FilterState): SavedApply['filters'][number]['was'] => ({
    id,
    title,
    context: [...context],
    action,
    expiresAt,
    keywords: [...keywords],
  });
  const touched = new Map<string, SavedApply['filters'][number]>();
  for (const change of changes) {
    if (change.kind !== 'filter') continue;
    const id = change.action === 'add' ? null : change.details.id;
    const was = filters.find((one) => one.id === id);
    touched.set(id ?? `new ${change.subject}`, {id, title: was?.title ?? change.subject, was: was ? copy(was) : null});
  }
  return {
    at: at.toISOString(),
    isFinished: false,
    owned: ownedBefore,
    domainBlocks: changes
      .filter(({kind}) => kind === 'domain_block')
      .map(({subject, action}) => ({domain: subject, wasBlocked: action === 'remove'})),
    filters: [...touched.values()],
    pushWasOn: changes.some(({kind}) => kind === 'push'),
  };
}

function joined(first: SavedApply, again: SavedApply): SavedApply {
  const known = new Set(first.domainBlocks.map(({domain}) => domain));
  const made = new Set(first.filters.map(({id, title}) => id ?? `new ${title}`));
  return {
    ...first,
    domainBlocks: [...first.domainBlocks, ...again.domainBlocks.filter(({domain}) => !known.has(domain))],
    filters: [...first.filters, ...again.filters.filter(({id, title}) => !made.has(id ?? `new ${title}`))],
    pushWasOn: first.pushWasOn || again.pushWasOn,
  };
}

/**
 * What an apply made before it was killed, and could not write down any more: it is there now, and was not before.
 * To be called with the state that the next apply reads.
 */
export function withUnrecorded(before: OwnershipRecord, state: State, now: Date): OwnershipRecord {
  const last = before.applies.at(-1);
  if (!last || last.isFinished) return before;
  const blocked = valueOf(state.domainBlocks) ?? new Map<string, string>();
  const live = liveFilters(valueOf(state.filters) ?? [], now);
  const made = last.domainBlocks.filter(({domain, wasBlocked}) => !wasBlocked && blocked.has(domain)).map(({domain}) => domain);
  const recorded = new Set(before.owned.filters.map(({id}) => id));
  const filters = last.filters.map((saved) => {
    if (saved.id !== null) return saved;
    const candidates = live.filter(({id, title}) => title === saved.title && !recorded.has(id));
    const [only] = candidates;
    return candidates.length === 1 && only ? {...saved, id: only.id} : saved;
  });
  const found = filters
    .filter(({id, was}) => id !== null && was === null && !recorded.has(id))
    .map(({id, title}) => ({id: id ?? '', title}));
  return {
    ...before,
    owned: sorted({domainBlocks: [...before.owned.domainBlocks, ...made], filters: [...before.owned.filters, ...found]}),
    applies: [...before.applies.slice(0, -1), {...last, filters}],
  };
}

/** @param createdId of the filter that the change made */
export function recordDone(before: OwnershipRecord, change: Change, createdId?: string): OwnershipRecord {
  const {domainBlocks, filters} = before.owned;
  if (change.kind === 'domain_block') {
    const others = domainBlocks.filter((domain) => domain !== change.subject);
    return {...before, owned: sorted({domainBlocks: change.action === 'add' ? [...others, change.subject] : others, filters})};
  }
  if (change.kind !== 'filter' || change.action === 'update') return before;
  if (change.action === 'remove')
    return {...before, owned: sorted({domainBlocks, filters: filters.filter(({id}) => id !== change.details.id)})};
  if (createdId === undefined) return before;
  const last = before.applies.at(-1);
  const index = last?.filters.findIndex(({id, title}) => id === null && title === change.subject) ?? -1;
  const applies =
    last && index !== -1
      ? [...before.applies.slice(0, -1), {...last, filters: last.filters.map((one, at) => (at === index ? {...one, id: createdId} : one))}]
      : before.applies;
  return {...before, owned: sorted({domainBlocks, filters: [...filters, {id: createdId, title: change.subject}]}), applies};
}

/** The record when the last apply is gone on with, whatever came of it: what is done now is part of it. */
export function reopened(before: OwnershipRecord): OwnershipRecord {
  return {...before, applies: before.applies.map((one, index) => (index === before.applies.length - 1 ? {...one, isFinished: false} : one))};
}

/** The record with the kept plan that the last apply carries out. */
export function withPlan(before: OwnershipRecord, plan: string): OwnershipRecord {
  return {...before, applies: before.applies.map((one, index) => (index === before.applies.length - 1 ? {...one, plan} : one))};
}

export function finishApply(before: OwnershipRecord): OwnershipRecord {
  return {...before, applies: before.applies.map((one, index) => (index === before.applies.length - 1 ? {...one, isFinished: true} : one))};
}

/** The apply that would be taken back next. */
export function lastApply({applies}: OwnershipRecord): SavedApply | undefined {
  return applies.at(-1);
}

/** The record once the last apply was taken back. */
export function afterUndo(before: OwnershipRecord): OwnershipRecord {
  const last = before.applies.at(-1);
  return last ? {...before, owned: last.owned, applies: before.applies.slice(0, -1)} : before;
}
