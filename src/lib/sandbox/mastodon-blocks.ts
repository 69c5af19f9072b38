/** Domain blocks of a Mastodon server: rows of their own, which cover subdomains, and keep everything that they are given. */
import {createHash} from 'node:crypto';
import {domainToASCII} from 'node:url';
import {listAdminDomainBlocks} from '../api/admin-domain-blocks.js';
import {withMicroseconds} from './accounts.js';
import {linkHeader} from './paging.js';
import {plainRefusal} from './refusal.js';
import {booleanOf, integerOf, textOf, type ReceivedFields} from './request.js';
import {perWorld, type RouteAnswer, type Call} from './route.js';

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
const blocksOf = perWorld(({instances}) => {
  const moderated = instances.all().filter(({banned, unlisted}) => banned || unlisted);
  const rows = moderated.map(({id, domain, banned, notes, createdAt}): [number, Block] => [
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

export function list({world, fields}: Call): RouteAnswer {
  const limit = Math.min(maxPageSize, Math.max(1, integerOf(fields['limit'], defaultPageSize)));
  const below = integerOf(fields['max_id'], Infinity);
  const above = Math.max(integerOf(fields['since_id'], 0), integerOf(fields['min_id'], 0));
  const all = [...blocksOf(world).rows.values()].toReversed().filter(({id}) => id < below && id > above);
  const items = textOf(fields['min_id']) === null ? all.slice(0, limit) : all.slice(-limit);
  const [first, last] = [items[0], items.at(-1)];
  const at = (bound: string) => `${world.linkUrl}${listAdminDomainBlocks.path}?limit=${limit}&${bound}`;
  const links = [
    ...(last !== undefined && items.length === limit ? [{rel: 'next', url: at(`max_id=${last.id}`)} as const] : []),
    ...(first === undefined ? [] : [{rel: 'prev', url: at(`min_id=${first.id}`)} as const]),
  ];
  return {body: items.map(entryOf), headers: linkHeader(links, ', ')};
}

export const get = (call: Call): RouteAnswer => ({body: entryOf(found(call))});

export function add({world, fields}: Call): RouteAnswer {
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
  return {body: entryOf(block)};
}

export function update(call: Call): RouteAnswer {
  const block = Object.assign(found(call), settingsIn(call.fields));
  return {body: entryOf(block)};
}

export function remove(call: Call): RouteAnswer {
  blocksOf(call.world).rows.delete(found(call).id);
  return {body: {}};
}
