/** A server on loopback whose one list a test makes up page by page. */
import type {Endpoint, PlainInput} from '../../../src/lib/api/endpoint.js';
import {listAdminDomainBlocks} from '../../../src/lib/api/admin-domain-blocks.js';
import {listAutospam} from '../../../src/lib/api/autospam.js';
import {listBlocks} from '../../../src/lib/api/blocks.js';
import {listConversations, listMessages, listMutuals} from '../../../src/lib/api/direct.js';
import {listReports} from '../../../src/lib/api/moderation-reports.js';
import {listNotifications} from '../../../src/lib/api/notifications.js';
import type {ClientOptions} from '../../../src/lib/client/client.js';
import {requestFor} from '../../../src/lib/client/request.js';
import {pagesOf, type ListRequest} from '../../../src/lib/client/paging.js';
import {clientOf, serverOfTest} from '../../loopback-server.js';

export interface PageAnswer {
  /** A string goes out as it is. */
  readonly body: unknown;
  readonly link?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ListServer {
  readonly url: URL;
  /** Paths and queries in the order in which they came. */
  readonly targets: readonly string[];
}

/** @param answer given the query, the path, and how many requests came before */
export async function listServer(
  answer: (query: URLSearchParams, path: string, before: number) => PageAnswer | Promise<PageAnswer>,
): Promise<ListServer> {
  const targets: string[] = [];
  const {url} = await serverOfTest(async ({target}) => {
    const {pathname, searchParams} = new URL(target, 'http://server.invalid');
    targets.push(target);
    const {body, link, status = 200, headers} = await answer(searchParams, pathname, targets.length - 1);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return {status, headers: {...(link !== undefined && {link}), ...headers}, text};
  });
  return {url: new URL(url), targets};
}

/** Responds with each answer in turn, and with an error after the last one. */
export function inTurn(...answers: readonly PageAnswer[]): (query: URLSearchParams, path: string, before: number) => PageAnswer {
  return (_query, _path, before) => answers[before] ?? {body: {error: 'There is no page more'}, status: 404};
}

export const lists = {
  adminDomainBlocks: listAdminDomainBlocks,
  autospam: listAutospam,
  blocks: listBlocks,
  conversations: listConversations,
  messages: listMessages,
  mutuals: listMutuals,
  notifications: listNotifications,
  reports: listReports,
} as const;

export function listRequest(name: keyof typeof lists, input: PlainInput = {}): ListRequest {
  const endpoint: Endpoint = lists[name];
  const path = name === 'messages' ? {id: '5'} : {};
  return {request: requestFor(endpoint, {path, ...input}), endpoint};
}

/** The ids, or of plain items the values, of every page. */
export async function everyPage(server: ListServer, list: ListRequest, options: Partial<ClientOptions> = {}): Promise<string[][]> {
  const pages: string[][] = [];
  for await (const {items} of pagesOf(clientOf(server.url, options), list)) pages.push(items.map(nameOf));
  return pages;
}

function nameOf(value: unknown): string {
  return typeof value === 'object' && value !== null && 'id' in value ? String(value.id) : String(value);
}

/** Items of which no more is known than their ids. */
export function items(...ids: readonly (number | string)[]): {readonly id: string}[] {
  return ids.map((id) => ({id: String(id)}));
}
