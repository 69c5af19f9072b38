/** Domains that the server blocks for all of its accounts: a part of Mastodon's API, which Pixelfed has since 0.12.4. */
import * as z from 'zod/mini';
import {serverBlock} from './admin-entities.js';
import {endpoint, type OwnErrors, type PlainInput, type Topic} from './endpoint.js';
import {limit} from './entities.js';
import {kinds} from './kinds.js';
import {agrees, field, membersOf} from './schema.js';
import {isAsAsked} from './server-block.js';
import {column, type Column, type RecordView} from './view.js';

const path = '/api/v1/admin/domain_blocks';
const topic: Topic = {title: 'Domains that the server blocks for everyone', heading: 'MODERATION'};

const errors: OwnErrors = {onlyAdmins: true, shows: 'existing_domain_block'};
const common = (verb: 'read' | 'write') => ({section: null, topic, scope: `admin:${verb}`, errors});

const id = field(z.string(), 'a blocked domain, or the id of its entry', {isId: true, of: kinds.domain});

const severity = field(z.string(), 'what the server does with the domain', {known: ['suspend', 'silence', 'noop'], knowsAll: true});

const settings = {
  private_comment: z.optional(field(z.string(), 'comment that only moderators see')),
  public_comment: z.optional(field(z.string(), 'comment that the server may publish')),
  reject_media: z.optional(field(z.boolean(), 'reject media of the domain')),
  reject_reports: z.optional(field(z.boolean(), 'reject reports from the domain')),
  obfuscate: z.optional(field(z.boolean(), 'mask the domain where the server publishes its blocks')),
};

/** Only the severity proves the write: servers may drop other settings. */
const hasSeverity = (answer: unknown, {body}: PlainInput): boolean => agrees(answer, {severity: body?.['severity']});

const columns: readonly Column[] = [
  {header: 'domain', path: 'domain', key: true},
  {header: 'severity', path: 'severity', stays: true},
  {header: 'private comment', path: 'private_comment', flexible: true, priority: 3},
  {header: 'public comment', path: 'public_comment', flexible: true, priority: 6},
  {header: 'created', path: 'created_at', kind: 'time', priority: 5},
  column.id,
];

const view: RecordView = {
  kind: 'record',
  columns: [
    ...columns,
    {header: 'reject media', path: 'reject_media'},
    {header: 'reject reports', path: 'reject_reports'},
    {header: 'obfuscate', path: 'obfuscate'},
  ],
};

export const listAdminDomainBlocks = endpoint({
  name: 'list admin domain blocks',
  ...common('read'),
  method: 'GET',
  path,
  query: {limit},
  hasStandIn: true,
  output: () => z.array(serverBlock()),
  view: {kind: 'list', columns, empty: 'The server blocks no domains.'},
  rows: [],
  items: kinds.domain,
  paging: {by: 'link', pageSize: 100, endsAtKnown: true},
});

export const getAdminDomainBlock = endpoint({
  name: 'get admin domain block',
  ...common('read'),
  method: 'GET',
  path: `${path}/{id}`,
  pathFields: {id},
  hasStandIn: true,
  answersAbout: {field: 'id', at: ['id']},
  output: serverBlock,
  items: kinds.domain,
  view,
});

/** Servers read a request without a severity as one for `silence`. */
export const addAdminDomainBlock = endpoint({
  name: 'add admin domain block',
  ...common('write'),
  method: 'POST',
  path,
  body: {domain: field(z.string(), 'domain to block', {of: kinds.domain}), severity, ...settings},
  output: serverBlock,
  proof: hasSeverity,
  items: kinds.domain,
  view,
  // Servers refuse a domain that is blocked already.
  repeat: 'harmless',
  seenBy: {
    list: listAdminDomainBlocks,
    shows: (item, input) => membersOf(item)['domain'] === input.body?.['domain'] && isAsAsked(item, input.body),
  },
  lookWith: ({body}) => ({command: 'admin domain-blocks get', args: [String(body?.['domain'])]}),
});

/** Servers overwrite or default members that are not sent, so all are sent. */
export const updateAdminDomainBlock = endpoint({
  name: 'update admin domain block',
  ...common('write'),
  method: 'PUT',
  path: `${path}/{id}`,
  pathFields: {id},
  body: {severity: z.optional(severity), ...settings},
  answersAbout: {field: 'id', at: ['id']},
  output: serverBlock,
  proof: hasSeverity,
  items: kinds.domain,
  view,
  repeat: 'harmless',
  seenBy: {
    list: listAdminDomainBlocks,
    shows(item, input) {
      const {id: found, domain} = membersOf(item);
      return [String(found), domain].includes(input.path?.['id']) && isAsAsked(item, input.body);
    },
  },
  lookWith: ({path: asked}) => ({command: 'admin domain-blocks get', args: [String(asked?.['id'])]}),
});

export const removeAdminDomainBlock = endpoint({
  name: 'remove admin domain block',
  ...common('write'),
  method: 'DELETE',
  path: `${path}/{id}`,
  pathFields: {id},
  output: () => z.looseObject({}),
  isGoneAnswer: (words) => words === 'Record not found',
  repeat: 'gone',
  lookWith: ({path: asked}) => ({command: 'admin domain-blocks get', args: [String(asked?.['id'])]}),
});
