/**
 * A Mastodon server, as far as block lists of a whole server need it: all else is as in 2026, where Mastodon has it at all.
 * Its blocks are rows of their own, which cover subdomains, and keep everything that they are given.
 */
import {createHash, randomBytes} from 'node:crypto';
import {domainToASCII} from 'node:url';
import {
  addAdminDomainBlock,
  getAdminDomainBlock,
  listAdminDomainBlocks,
  removeAdminDomainBlock,
  updateAdminDomainBlock,
} from '../../src/lib/api/admin-domain-blocks.js';
import {followsOfDomain} from '../../src/lib/api/admin-entities.js';
import {measure, registerApp} from '../../src/lib/api/internal.js';
import {membersOf} from '../../src/lib/api/schema.js';
import {hostOf, withMicroseconds} from '../../src/lib/sandbox/payloads.js';
import {linkHeader} from '../../src/lib/sandbox/collection.js';
import {abort, jsonAnswer, plainRefusal} from '../../src/lib/sandbox/refusal.js';
import {generations, type ServerFacts, type World} from '../../src/lib/sandbox/world.js';
import {booleanOf, integerOf, textOf, type ReceivedFields} from '../../src/lib/sandbox/received-request.js';
import {routes as ofSignIn} from '../../src/lib/sandbox/routes/oauth.js';
import {keepPerWorld, route, type Access, type Call, type Route, unchecked} from '../../src/lib/sandbox/route.js';

interface Block {
  readonly id: number;
  readonly domain: string;
  readonly createdAt: Date;
  severity: string;
  privateComment: string | null;
  publicComment: string | null;
  rejectMedia: boolean;
  rejectReports: boolean;
  obfuscate: boolean;
}

type Settings = Omit<Block, 'createdAt' | 'domain' | 'id'>;

const severities = ['noop', 'silence', 'suspend'];
const [defaultPageSize, maxPageSize] = [100, 200];

const unsaid: Settings = {
  severity: 'silence',
  privateComment: null,
  publicComment: null,
  rejectMedia: false,
  rejectReports: false,
  obfuscate: false,
};

/** The blocks of a server by id, the oldest first; at the start those that are seeded as instances. */
const blocksOf = keepPerWorld((world) => {
  const moderated = world.instances.list().filter(({banned, unlisted}) => banned || unlisted);
  const rows = moderated.map(({id, domain, banned, notes, updatedAt: createdAt}): [number, Block] => [
    id,
    {...unsaid, id, domain, createdAt, severity: banned ? 'suspend' : 'silence', privateComment: notes && [notes].flat().join('; ')},
  ]);
  return {rows: new Map(rows), lastId: Math.max(0, ...rows.map(([id]) => id))};
});

const entryOf = (block: Block): Readonly<Record<string, unknown>> => ({
  id: String(block.id),
  domain: block.domain,
  digest: createHash('sha256').update(block.domain).digest('hex'),
  created_at: withMicroseconds(block.createdAt),
  severity: block.severity,
  reject_media: block.rejectMedia,
  reject_reports: block.rejectReports,
  private_comment: block.privateComment,
  public_comment: block.publicComment,
  obfuscate: block.obfuscate,
});

const invalid = (problem: string): Error => plainRefusal(422, {error: `Validation failed: ${problem}`});

/** The settings that were sent. */
function settingsIn(fields: ReceivedFields): Partial<Settings> {
  const severity = textOf(fields['severity']);
  if (severity !== null && !severities.includes(severity)) throw invalid('Severity is not included in the list');
  const text = (name: string) => (name in fields ? {value: textOf(fields[name])} : undefined);
  const flag = (name: string) => (name in fields ? {value: booleanOf(fields[name]) || fields[name] === 'true'} : undefined);
  const sent = {
    severity: severity === null ? undefined : {value: severity},
    privateComment: text('private_comment'),
    publicComment: text('public_comment'),
    rejectMedia: flag('reject_media'),
    rejectReports: flag('reject_reports'),
    obfuscate: flag('obfuscate'),
  };
  return Object.fromEntries(Object.entries(sent).flatMap(([name, found]) => (found === undefined ? [] : [[name, found.value]])));
}

function found({world, part}: Call): Block {
  const block = blocksOf(world).rows.get(Number(part('id')));
  if (!block) throw plainRefusal(404, {error: 'Record not found'});
  return block;
}

/** The block of the domain itself, or of the nearest one above it. */
function ruleFor(blocks: readonly Block[], domain: string): Block | undefined {
  const applying = blocks.filter((block) => domain === block.domain || domain.endsWith(`.${block.domain}`));
  return applying.toSorted((one, other) => other.domain.length - one.domain.length)[0];
}

/** A suspension always is; another block, where it does more than the one above it. */
function isStricter(wanted: Settings, existing: Settings): boolean {
  if (wanted.severity === 'suspend') return true;
  const rank = severities.indexOf(wanted.severity) - severities.indexOf(existing.severity);
  if (rank !== 0) return rank > 0;
  const [more, less] = [wanted, existing].map(({rejectMedia, rejectReports}) => Number(rejectMedia) + Number(rejectReports));
  return (more ?? 0) > (less ?? 0);
}

function list({world, fields}: Call): unknown {
  const limit = Math.min(maxPageSize, Math.max(1, integerOf(fields['limit'], defaultPageSize)));
  const below = integerOf(fields['max_id'], Infinity);
  const above = Math.max(integerOf(fields['since_id'], 0), integerOf(fields['min_id'], 0));
  const all = [...blocksOf(world).rows.values()].toReversed().filter(({id}) => id < below && id > above);
  const items = textOf(fields['min_id']) === null ? all.slice(0, limit) : all.slice(-limit);
  const [first, last] = [items[0], items.at(-1)];
  const at = (bound: string) => `${world.linkUrl}${listAdminDomainBlocks.path}?limit=${limit}&${bound}`;
  const next = last !== undefined && items.length === limit ? at(`max_id=${last.id}`) : null;
  return jsonAnswer(items.map(entryOf), 200, linkHeader({next, prev: first && at(`min_id=${first.id}`)}));
}

const get = (call: Call): unknown => entryOf(found(call));

function add({world, fields}: Call): unknown {
  const blocks = blocksOf(world);
  const domain = domainToASCII((textOf(fields['domain']) ?? '').toLowerCase().replaceAll('/', ''));
  if (domain === '') throw invalid("Domain can't be blank");
  const wanted = {...unsaid, ...settingsIn(fields)};
  const existing = ruleFor([...blocks.rows.values()], domain);
  if (existing && (existing.domain === domain || !isStricter(wanted, existing)))
    throw plainRefusal(422, {
      error: `You have already imposed stricter limits on ${existing.domain}.`,
      existing_domain_block: entryOf(existing),
    });
  const block: Block = {...wanted, id: blocks.lastId + 1, domain, createdAt: new Date()};
  blocks.lastId = block.id;
  blocks.rows.set(block.id, block);
  return entryOf(block);
}

function update(call: Call): unknown {
  const block = Object.assign(found(call), settingsIn(call.fields));
  return entryOf(block);
}

function remove(call: Call): unknown {
  blocksOf(call.world).rows.delete(found(call).id);
  return {};
}

/** The follows of people here to a domain, and to those below it where that is asked for. */
function followsTo(world: World, {domain, include_subdomains: isWhole}: Readonly<Record<string, unknown>>): number {
  const isMeant = (host: string | null) => host === domain || (isWhole === true && host?.endsWith(`.${String(domain)}`) === true);
  const here = new Set(world.ownAccounts().map(({id}) => id));
  const meant = [...world.accounts.values()].filter((account) => isMeant(hostOf(account)));
  return meant.flatMap(({id}) => world.follows.to(id).filter(({from}) => here.has(from))).length;
}

/** By the id of a client, the scopes that it registered for, and those that it asked for last. */
const scopesOf = keepPerWorld(() => ({registered: new Map<string, readonly string[]>(), asked: new Map<string, readonly string[]>()}));

/** Clients can ask for the scopes that they registered for, everybody gets them, and a token is a word without an end. */
const withOwnTokens = ({record, answer}: Route): Route => ({
  record,
  async answer(call) {
    const {world, text} = call;
    const {registered, asked} = scopesOf(world);
    const scopes = text('scope').split(/\s+/);
    if (record.method === 'GET') {
      asked.set(text('client_id'), scopes);
      const isKnown = scopes.every((scope) => registered.get(text('client_id'))?.includes(scope));
      return answer(isKnown ? call : Object.create(call, {fields: {value: {...call.fields, scope: 'unknown'}}}));
    }
    const given = await answer(call);
    if (record.path === registerApp.path) registered.set(String(membersOf(given)['client_id']), (text('scopes') || 'read').split(/\s+/));
    if (record.path !== '/oauth/token' || !(given instanceof Response)) return given;
    const {access_token: jwt} = membersOf(await given.json());
    const grant = world.grants.get(String(jwt));
    const [access_token, granted] = [randomBytes(32).toString('hex'), asked.get(text('client_id')) ?? []];
    if (grant) world.grants.set(access_token, {accountId: grant.accountId, scopes: granted});
    return {access_token, token_type: 'Bearer', scope: granted.join(' '), created_at: Math.floor(Date.now() / 1000)};
  },
});

const mastodonRoutes: readonly Route[] = [
  ...ofSignIn.map(withOwnTokens),
  route(unchecked(listAdminDomainBlocks), list),
  route(getAdminDomainBlock, get),
  route(unchecked(addAdminDomainBlock), add),
  route(unchecked(updateAdminDomainBlock), update),
  route(removeAdminDomainBlock, remove),
  route(measure, ({world, fields}) => {
    const keys = [fields['keys']].flat().filter((key) => key === followsOfDomain);
    if (textOf(fields['start_at']) === null || textOf(fields['end_at']) === null) throw plainRefusal(422, {error: 'Invalid date'});
    return keys.map((key) => ({key, unit: null, total: String(followsTo(world, membersOf(fields[key]))), data: []}));
  }),
];

const access: Access = ({scope, path}, {scopes}, viewer) => {
  const narrow = path.startsWith(listAdminDomainBlocks.path) ? `${scope}:domain_blocks` : scope;
  const accepted = scope === null || scopes.some((one) => one === scope || one === narrow);
  if (!accepted) throw abort(403, 'This action is outside the authorized scopes');
  if (path.startsWith('/api/v1/admin/') && !viewer.is_admin) throw abort(403, 'This action is not allowed');
};

const {adminScopes} = generations['2026'];

const facts: Partial<ServerFacts> = {
  version: '4.5.0',
  apiVersion: '4.5.0',
  offers: /^(?!\/api\/(?:admin|v1\.1|v2\.1)\/)/,
  requestsPerMinute: Infinity,
  adminScopes: [...adminScopes, ...adminScopes.map((scope) => `${scope}:domain_blocks`)],
};

export const mastodon = {server: facts, routes: mastodonRoutes, access};
