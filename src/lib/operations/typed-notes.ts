/**
 * Notes on other servers that an admin typed on a page of Pixelfed. Pixelfed stores such a note as a text, but its list of blocks expects a
 * list, and fails while a blocked server has such a note. Blocks are then read from the list of servers.
 */
import {commandText} from '../files/command-text.js';
import {createHash} from 'node:crypto';
import {listAdminDomainBlocks} from '../api/admin-domain-blocks.js';
import {notesOf, typedNoteOf} from '../api/admin-entities.js';
import {listInstances, readInstance} from '../api/instances.js';
import {membersOf, oncePer} from '../api/schema.js';
import type {Client} from '../client/client.js';
import {asFailure, Failure} from '../client/failure.js';
import {everyItem} from '../client/paging.js';
import type {Request} from '../client/request.js';
import type {Incoming} from '../client/transport.js';
import {at} from '../json/path.js';
import {firstOf} from '../json/text.js';

export const isOfTypedNote = (error: unknown): error is Failure => error instanceof Failure && error.details.reason === 'typed_note';

/** The block of a server in the list of servers. Settings that only a block has are off or null. */
export function blockOf(instance: unknown): Readonly<Record<string, unknown>> {
  const {id, domain, banned, unlisted, notes, created_at} = membersOf(instance);
  return {
    id,
    domain,
    digest: createHash('sha256').update(String(domain)).digest('hex'),
    severity: banned === true ? 'suspend' : unlisted === true ? 'silence' : 'noop',
    created_at,
    reject_media: false,
    reject_reports: false,
    private_comment: notes === null ? null : notesOf(instance),
    public_comment: null,
    obfuscate: false,
  };
}

export const isBlocked = (instance: unknown): boolean => [membersOf(instance)['banned'], membersOf(instance)['unlisted']].includes(true);

interface TypedNote {
  readonly domain: string;
  readonly severity: string;
  readonly note: string;
}

/** The typed notes that a client has read, by the ids of their blocks. */
const notesBy = oncePer<Client, Map<string, TypedNote>>(() => new Map());

export function rememberNotes(instances: readonly unknown[], client: Client): TypedNote[] {
  return instances.flatMap((instance) => {
    const note = typedNoteOf(instance);
    if (note === undefined) return [];
    const {id, domain, severity} = blockOf(instance);
    const typed = {domain: String(domain), severity: String(severity), note};
    notesBy(client).set(String(id), typed);
    return typed;
  });
}

/** The typed note of a block that this client has read. @param id of the block */
export const typedNoteRead = (id: string, client: Client): string | undefined => notesBy(client).get(id)?.note;

/** How many blocks there are, and the typed notes among them. @throws Failure when they cannot be read */
export async function typedNotes(client: Client): Promise<{readonly blocks: number; readonly typed: readonly TypedNote[]}> {
  const {length} = await everyItem(client, listAdminDomainBlocks);
  return {blocks: length, typed: [...notesBy(client).values()]};
}

/** The command that makes a typed note the comment of its block, and changes nothing else. */
export const healing = ({domain, severity}: Pick<TypedNote, 'domain' | 'severity'>): string =>
  commandText('admin domain-blocks update', {args: [domain], flags: {severity}});

const maxShown = 10;

function warn(typed: readonly TypedNote[], client: Client): void {
  if (typed.length === 0) return;
  const domains = firstOf(
    typed.map(({domain}) => domain),
    maxShown,
  );
  client.warn(
    `${client.host} cannot list its blocks, because notes were typed on its own admin page (${domains}). They were read from its list of servers instead; \`${commandText('doctor')}\` says how to repair this`,
  );
}

const idOf = (value: unknown): number => Number(membersOf(value)['id']);

/** All blocks, made from the list of servers: as one page, whatever size was asked for. */
async function readBlocks(client: Client): Promise<Incoming> {
  const lists = await Promise.all(['banned', 'unlisted'].map((filter) => everyItem(client, listInstances, {query: {filter}})));
  // A server that is banned and unlisted is in both lists.
  const instances = new Map(lists.flat().map((instance) => [idOf(instance), instance]));
  const blocked = [...instances.values()].filter(isBlocked).sort((one, other) => idOf(one) - idOf(other));
  warn(rememberNotes(blocked, client), client);
  return {status: 200, headers: {}, text: JSON.stringify(blocked.map(blockOf))};
}

/** One block, made from the server; undefined if the server is not blocked. */
async function fetchBlock({path}: Request, client: Client): Promise<Incoming | undefined> {
  const {value} = await client.call(readInstance, {query: {id: decodeURIComponent(path.split('/').at(-1) ?? '')}});
  const instance = at(value, ['data']).value;
  if (!isBlocked(instance)) return undefined;
  warn(rememberNotes([instance], client), client);
  return {status: 200, headers: {}, text: JSON.stringify(blockOf(instance))};
}

/** Answers a read of blocks that failed because of a typed note. @throws Failure `auth` for a token that may not read the list of servers */
export async function standIn(request: Request, failure: Failure, client: Client): Promise<Incoming | undefined> {
  if (!isOfTypedNote(failure)) return undefined;
  try {
    return await (request.path === listAdminDomainBlocks.path ? readBlocks(client) : fetchBlock(request, client));
  } catch (error) {
    const {code, details} = asFailure(error);
    // The server has no list of servers, or does not know the server that was asked for.
    if (code === 'not_found') return undefined;
    if (code !== 'auth' || details.reason === 'token') throw error;
    const {scope} = listInstances;
    throw new Failure(
      'auth',
      `${client.host} cannot list its blocks, because a note was typed on its own admin page; reading them from its list of servers needs the scope ${scope}`,
      {...details, reason: 'admin_scope', scope: scope ?? undefined},
    );
  }
}
