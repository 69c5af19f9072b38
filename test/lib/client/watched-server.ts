/** Servers whose list grows while a test watches it, as real ones answer. */
import {watch, type Batch, type WatchOptions} from '../../../src/lib/client/watch.js';
import type {ClientOptions} from '../../../src/lib/client/client.js';
import {clientOf} from '../../loopback-server.js';
import {listRequest, listServer, type ListServer, type PageAnswer} from './list-server.js';

export interface Item {
  readonly id: number;
  readonly type?: string;
  readonly created_at?: string;
}

export interface Growing {
  /** Oldest first. */
  items: Item[];
  /** Answered in place of a page, if there is one. */
  fails: (query: URLSearchParams) => PageAnswer | undefined;
}

const newestFirst = (items: readonly Item[]) => items.toReversed().map(({id, ...rest}) => ({...rest, id: String(id)}));

/** `min_id` gives the newest above it, `max_id` wins over it, and types are filtered after the page is cut. */
function notifications({items}: Growing, query: URLSearchParams): PageAnswer {
  const limit = Number(query.get('limit') ?? 20);
  const types = query.getAll('types[]');
  const max = query.get('max_id');
  const within = items.filter(({id}) => (max === null ? id > Number(query.get('min_id') ?? 0) : id < Number(max)));
  const scanned = within.slice(-limit);
  const shown = scanned.filter(({type = ''}) => types.length === 0 || types.includes(type));
  const link = `<https://pix.example/api/v1/notifications?limit=${limit}&max_id=${scanned[0]?.id}>; rel="next"`;
  return {body: newestFirst(shown), ...(scanned.length > 0 && {link})};
}

/** `min_id` gives the oldest above it, and wins. */
function messages({items}: Growing, query: URLSearchParams): PageAnswer {
  const limit = Number(query.get('limit') ?? 20);
  const [min, max] = [query.get('min_id'), query.get('max_id')];
  const side = items.filter(({id}) => (min === null ? max === null || id < Number(max) : id > Number(min)));
  const page = min === null ? side.slice(-limit) : side.slice(0, limit);
  const ids = page.map(({id}) => String(id));
  return {body: {data: newestFirst(page), meta: {has_more: side.length > limit, newest_id: ids.at(-1) ?? null, oldest_id: ids[0] ?? null}}};
}

/** Six on a page, by its number, in the order of `created_at`; bounds and sizes are ignored. */
function reports({items}: Growing, query: URLSearchParams): PageAnswer {
  const start = 6 * (Number(query.get('page') ?? 1) - 1);
  const sorted = newestFirst(items.toSorted((one, other) => ((one.created_at ?? '') < (other.created_at ?? '') ? -1 : 1)));
  return {body: sorted.slice(start, start + 6).filter(({type}) => type !== 'gone')};
}

const answers = {notifications, messages, reports} as const;
export type Watchable = keyof typeof answers;

export async function growingServer(name: Watchable): Promise<ListServer & {readonly list: Growing}> {
  const list: Growing = {items: [], fails: () => undefined};
  const server = await listServer((query) => list.fails(query) ?? answers[name](list, query));
  return {...server, list};
}

export interface Watching extends Partial<WatchOptions> {
  readonly query?: Readonly<Record<string, unknown>>;
  readonly client?: Partial<ClientOptions>;
  /** What happens before each look after the first; the watching ends when there is no more. */
  readonly between: readonly (() => void)[];
}

class Enough extends Error {}

/** Every batch that comes of watching. */
export async function watched(server: ListServer, name: Watchable, {between, query = {}, client, ...options}: Watching): Promise<Batch[]> {
  const batches: Batch[] = [];
  const steps = [...between];
  const pause = async () => {
    const step = steps.shift();
    if (step === undefined) throw new Enough();
    step();
  };
  try {
    const watching = watch(clientOf(server.url, {retries: 0, ...client}), listRequest(name, {query}), {
      since: undefined,
      pause,
      ...options,
    });
    for await (const batch of watching) batches.push(batch);
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  return batches;
}

export function idsOf(batches: readonly Batch[]): number[] {
  return batches.flatMap(({items}) => items.map(({id}) => Number(id)));
}

export function upTo(last: number, first = 1): Item[] {
  return Array.from({length: last - first + 1}, (_, index) => ({id: first + index}));
}
