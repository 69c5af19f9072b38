/** The servers that a Pixelfed server knows, found by their domains, and what its admins do about them. */
import {commandText} from '../files/command-text.js';
import * as z from 'zod/mini';
import type {PlainInput} from '../api/endpoint.js';
import {instanceFlags} from '../api/admin-entities.js';
import {listInstances, moderateInstance, readInstance, refreshInstance} from '../api/instances.js';
import {kinds} from '../api/kinds.js';
import {field, membersOf} from '../api/schema.js';
import {answerFrom} from '../client/answer.js';
import type {Client} from '../client/client.js';
import {asFailure, Failure} from '../client/failure.js';
import {pagesOf} from '../client/paging.js';
import {onlyShown, placeholder, requestFor, usableIdAt, type ExpectedAbout} from '../client/request.js';
import {textAt} from '../json/path.js';
import {hostOf, idOrHost, normalizeStoredDomain} from './domains.js';
import {isId} from './handle.js';
import {operation} from './operation.js';
import {withDone} from './toggles.js';

/** A server in the list of servers that the client's server knows. */
interface Listed {
  readonly id: string;
  /** The server as it was listed, with every digit of its numbers. */
  readonly value: unknown;
}

/**
 * Finds the server of exactly this host. The list may have a host in several forms: the one in the form of `hostOf` is preferred.
 * @param host in the form of `hostOf`
 */
export async function findInstance(host: string, client: Client): Promise<Listed | undefined> {
  const request = requestFor(listInstances, {query: {q: host}});
  let found: Listed | undefined;
  for await (const {items} of pagesOf(client, {request, endpoint: listInstances})) {
    for (const value of items) {
      const [domain, id] = [textAt(value, ['domain']), usableIdAt(value, ['id'], 'digits')];
      if (domain === undefined || id === undefined || normalizeStoredDomain(domain) !== host) continue;
      if (domain === host) return {id, value};
      found ??= {id, value};
    }
  }
  return found;
}

const lookedForAtOnce = 4;

/** Looks for each of these servers. @param domains in the form of `hostOf` @returns those that are known, by domain */
export async function readInstances(domains: readonly string[], client: Client): Promise<ReadonlyMap<string, unknown>> {
  const known = new Map<string, unknown>();
  const left = domains.values();
  const look = async () => {
    for (const domain of left) {
      const found = await findInstance(domain, client);
      if (found !== undefined) known.set(domain, found.value);
    }
  };
  await Promise.all(Array.from({length: lookedForAtOnce}, look));
  return known;
}

const blocksUnknown = (host: string): string =>
  `\`${commandText('admin domain-blocks add', {args: [host]})}\` blocks servers that are not known yet`;

const findsSimilar = (host: string): string =>
  `\`${commandText('instances list', {flags: {query: host}})}\` lists those with this text in their domain`;

/** @throws Failure `not_found` for a server that is not known */
async function knownInstance(host: string, client: Client, hint: typeof blocksUnknown): Promise<Listed> {
  const found = await findInstance(host, client);
  if (found !== undefined) return found;
  throw new Failure('not_found', `${client.host} does not know ${host}`, {hint: hint(host)});
}

/** Every answer about a server that was found by its domain must name that domain. */
const aboutHost = (host: string): ExpectedAbout => ({at: ['data', 'domain'], is: host, form: normalizeStoredDomain});

/** Reads a server by its domain or id. Servers find one only by its id. */
export const instanceReading = operation(readInstance, {
  convert: {id: idOrHost},
  async send({query}, client) {
    const named = String(query?.['id']);
    if (isId(named)) return client.send(onlyShown(requestFor(readInstance, {query: {id: named}})), readInstance.output());
    const {id} = await knownInstance(named, client, findsSimilar);
    return client.send(onlyShown(requestFor(readInstance, {query: {id}}, [aboutHost(named)])), readInstance.output());
  },
});

type Flag = (typeof instanceFlags)[number];

/** The flags to set, in the order in which they are set. */
function flagsIn(body: PlainInput['body'] = {}): readonly {readonly key: Flag; readonly value: boolean}[] {
  return instanceFlags.flatMap((key) => {
    const value = body[key];
    return typeof value === 'boolean' ? [{key, value}] : [];
  });
}

const blocks = ({body}: PlainInput): boolean => body?.['banned'] === true || body?.['unlisted'] === true;

const domain = field(z.string(), 'domain of the server', {of: kinds.domain});

/** Makes the server count the accounts and posts that it knows of another server, which is named by its domain. */
export const instanceRefreshing = operation(
  {...refreshInstance, body: {domain}},
  {
    convert: {domain: hostOf},
    requests: ({body}) => [requestFor(refreshInstance, {body: {id: placeholder(String(body?.['domain']))}})],
    async send({body}, client) {
      const host = String(body?.['domain']);
      const {id} = await knownInstance(host, client, findsSimilar);
      return client.send(requestFor(refreshInstance, {body: {id}}, [aboutHost(host)]), refreshInstance.output());
    },
  },
);

const flag = (about: string) => z.optional(field(z.boolean(), about));

/** Sets flags of a server, which is named by its domain. One request is sent for each flag that differs. */
export const instanceModeration = operation(
  {
    ...moderateInstance,
    body: {
      domain,
      banned: flag('refuse everything from it'),
      unlisted: flag('keep its posts off public timelines'),
      auto_cw: flag('mark its posts as sensitive'),
    },
  },
  {
    blocksServers: blocks,
    convert: {domain: hostOf},
    requests: ({body}) =>
      flagsIn(body).map((wanted) => requestFor(moderateInstance, {body: {id: placeholder(String(body?.['domain'])), ...wanted}})),
    async send(input, client) {
      const {body} = input;
      const host = String(body?.['domain']);
      const {id, value: known} = await knownInstance(host, client, blocks(input) ? blocksUnknown : findsSimilar);
      const done: string[] = [];
      // Where every flag is set already, the answer is the server as it was read.
      let last = answerFrom({data: known});
      for (const {key, value} of flagsIn(body)) {
        if (membersOf(known)[key] === value) continue;
        const request = requestFor(moderateInstance, {body: {id, key, value}}, [aboutHost(host)]);
        last = await client.send(request, moderateInstance.output()).catch((error: unknown) => {
          throw withDone(asFailure(error), done);
        });
        done.push(key);
      }
      return last;
    },
  },
);
