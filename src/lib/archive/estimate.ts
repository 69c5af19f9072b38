/** Estimates how much an export reads, from a page or two of each conversation. */
import {listMessages} from '../api/direct.js';
import {pageParameters} from '../api/page-parameters.js';
import type {Answer} from '../client/answer.js';
import type {AccountDirectory} from '../operations/accounts.js';
import {booleanAt} from '../json/path.js';
import {itemLinesAt} from '../json/slices.js';
import {conversationsPageSize} from './list-conversations.js';
import {mediaIn, messageIn, sentAt} from './message.js';
import {everything, pageSize, readThreadPages, type ArchiveSource} from './read-pages.js';
import {targetsOf, type RequestedConversation, type WantedConversations} from './targets.js';

/** Requests a minute that servers allow. */
const requestsPerMinute = 512;

export interface Estimate {
  readonly conversations: number;
  readonly messages: number;
  /** Whether all messages were counted. */
  readonly exact: boolean;
  readonly media: number;
  /** Of messages and conversations; files are fetched beside them. */
  readonly requests: number;
  readonly minutes: number;
}

interface Sample {
  readonly ids: readonly string[];
  readonly count: number;
  readonly media: number;
  readonly hasMore: boolean;
  /** Milliseconds since 1970, of the newest and the oldest message. */
  readonly newest: number;
  readonly oldest: number;
}

function sampleIn({text, value}: Pick<Answer, 'text' | 'value'>): Sample {
  const lines = itemLinesAt(text, ['data']) ?? [];
  const times = lines.map((line) => Number(sentAt(JSON.parse(line)))).filter((time) => !Number.isNaN(time));
  return {
    ids: lines.flatMap((line) => messageIn(line)?.id ?? []),
    count: lines.length,
    media: lines.reduce((sum, line) => sum + mediaIn(line).length, 0),
    hasMore: booleanAt(value, ['meta', 'has_more']) === true,
    newest: Math.max(...times),
    oldest: Math.min(...times),
  };
}

/** What there is between the two ends is taken to be as dense as they are on average. */
function between(first: Sample, last: Sample): number {
  const gap = last.oldest - first.newest;
  const span = last.newest - last.oldest + (first.newest - first.oldest);
  return gap > 0 && span > 0 ? Math.round(((first.count + last.count) * gap) / span) : 0;
}

interface Counted {
  readonly messages: number;
  readonly media: number;
  readonly isExact: boolean;
}

async function countOf(target: RequestedConversation, source: ArchiveSource): Promise<Counted> {
  const found = await target.find();
  if (found.type === 'thread') {
    const {pages} = await readThreadPages(found.id, everything, source);
    return {messages: pages.reduce((sum, {messages}) => sum + messages.length, 0), media: 0, isExact: false};
  }
  const {client, observe} = source;
  const ask = async (query: Readonly<Record<string, string>>) => {
    const answer = await client.call(listMessages, {path: {id: found.id}, query: {...query, limit: String(pageSize)}});
    observe?.(answer);
    return sampleIn(answer);
  };
  const last = await ask({});
  if (!last.hasMore) return {messages: last.count, media: last.media, isExact: true};
  const first = await ask({[pageParameters.from]: '1'});
  const ids = new Set([...first.ids, ...last.ids]);
  // The two pages meet.
  if (ids.size < first.count + last.count) return {messages: ids.size, media: first.media + last.media, isExact: true};
  const messages = first.count + last.count + between(first, last);
  const media = Math.round(((first.media + last.media) * messages) / (first.count + last.count));
  return {messages, media, isExact: false};
}

interface EstimateOptions extends WantedConversations {
  readonly source: ArchiveSource;
  readonly accounts: () => Promise<AccountDirectory>;
}

/** @throws Failure */
export async function estimateOf(options: EstimateOptions): Promise<Estimate> {
  const targets = await targetsOf(options, options.source, options.accounts);
  let [messages, media, requests, exact] = [0, 0, Math.max(2, Math.ceil(targets.length / conversationsPageSize)), true];
  for (const target of targets) {
    const counted = await countOf(target, options.source);
    messages += counted.messages;
    media += counted.media;
    requests += Math.max(1, Math.ceil(counted.messages / pageSize));
    exact &&= counted.isExact;
  }
  return {conversations: targets.length, messages, exact, media, requests, minutes: Math.ceil(requests / requestsPerMinute)};
}
