/** Blocked and muted accounts, and blocked domains. */
import * as z from 'zod/mini';
import {endpoint, type Endpoint, type PlainInput, type Topic, type Trace} from './endpoint.js';
import {blockedAccount, limit, account, page, relationship} from './entities.js';
import {kinds} from './kinds.js';
import {agrees, field, membersOf, once} from './schema.js';
import {column} from './view.js';

const section = 'Blocks, mutes, domain blocks';
const blocks: Topic = {title: 'Accounts that you block', heading: 'MODERATION'};
const mutes: Topic = {title: 'Accounts that you mute', heading: 'MODERATION'};

const ofDomains = {section, topic: {title: 'Servers that you block', heading: 'MODERATION'}, path: '/api/v1/domain_blocks', scope: null};

const emptyArray = once(() => z.array(z.unknown()));

export const listBlocks = endpoint({
  name: 'list blocks',
  section,
  topic: blocks,
  method: 'GET',
  path: '/api/v1/blocks',
  scope: 'read',
  query: {limit, page},
  output: () => z.array(blockedAccount()),
  view: {
    kind: 'list',
    columns: [
      column.id,
      column.account,
      column.displayName,
      column.followers,
      column.posts,
      {header: 'note', path: 'note', kind: 'html', flexible: true, priority: 7},
    ],
    empty: 'No blocked accounts.',
  },
  rows: [],
  items: kinds.account,
  paging: {by: 'link', pageSize: 40},
});

export const listMutes = endpoint({
  name: 'list mutes',
  section,
  topic: mutes,
  method: 'GET',
  path: '/api/v1/mutes',
  scope: 'read',
  query: {limit, page},
  output: () => z.array(account()),
  view: {
    kind: 'list',
    columns: [column.id, column.account, column.displayName, column.followers, column.posts, column.locked],
    empty: 'No muted accounts.',
  },
  rows: [],
  items: kinds.account,
  paging: {by: 'link', pageSize: 40},
});

export const listDomainBlocks = endpoint({
  name: 'list domain blocks',
  ...ofDomains,
  method: 'GET',
  query: {limit, cursor: z.optional(field(z.string(), 'cursor to start at, from the `Link` header of another page', {part: true}))},
  output: () => z.array(z.string()),
  view: {kind: 'list', columns: [{header: 'domain', path: '', key: true}], fields: ['domain'], empty: 'No blocked domains.'},
  rows: [],
  items: kinds.domain,
  paging: {by: 'link', pageSize: 100},
});

const hostInBody = (body: PlainInput['body']): string => String(body?.['domain']).replace(/^https?:\/\//, '');

/** Servers want the domain as an `https://` URL here. */
export const addDomainBlock = endpoint({
  name: 'add domain block',
  ...ofDomains,
  method: 'POST',
  body: {domain: field(z.string(), 'domain to block', {of: kinds.domain})},
  output: emptyArray,
  errors: {limited: true, refusesDomains: true},
  repeat: 'harmless',
  seenBy: {
    list: listDomainBlocks,
    shows: (item, {body}) => hostInBody(body) === item,
  },
  lookWith: ({body}) => ({command: 'domain-blocks contains', args: [hostInBody(body)]}),
});

/** Servers need the bare host here: with a URL they report success and remove nothing. */
export const removeDomainBlock = endpoint({
  name: 'remove domain block',
  ...ofDomains,
  method: 'DELETE',
  body: {domain: field(z.string(), 'domain to unblock', {of: kinds.domain})},
  output: emptyArray,
  repeat: 'harmless',
  lookWith: ({body}) => ({command: 'domain-blocks contains', args: [hostInBody(body)]}),
});

/**
 * Servers support these actions, which are undocumented. Each can be repeated, and its inverse reverts it.
 * @param list the list that has the account afterwards
 * @param actsOn the list that has the account before
 */
function accountAction<Verb extends 'block' | 'mute' | 'unblock' | 'unmute'>(
  name: string,
  topic: Topic,
  verb: Verb,
  {list, actsOn}: {readonly list?: Endpoint; readonly actsOn?: Endpoint},
) {
  const shows: Trace['shows'] = (item, {path}) => String(membersOf(item)['id']) === path?.['id'];
  const [state, isSet] = [verb.endsWith('mute') ? 'muting' : 'blocking', !verb.startsWith('un')];
  return endpoint({
    name,
    section: null,
    topic,
    method: 'POST',
    path: `/api/v1/accounts/{id}/${verb}`,
    scope: 'write',
    pathFields: {id: field(z.string(), 'the account', {isId: true, names: 'account'})},
    answersAbout: {field: 'id', at: ['id'], mayBeMissing: true},
    output: relationship,
    proof: (answer) => agrees(answer, {[state]: isSet}),
    view: {
      kind: 'record',
      columns: [
        column.id,
        {header: 'blocked', path: 'blocking'},
        {header: 'muted', path: 'muting'},
        {header: 'you follow', path: 'following'},
        {header: 'follows you', path: 'followed_by'},
      ],
    },
    repeat: 'harmless',
    ...(list && {seenBy: {list, shows}}),
    ...(actsOn && {actsOn}),
    ...(list && {errors: {limited: true}}),
    lookWith: ({path}) => ({command: `${verb.endsWith('mute') ? 'mutes' : 'blocks'} contains`, args: [String(path?.['id'])]}),
  });
}

export const addBlock = accountAction('add block', blocks, 'block', {list: listBlocks});
export const removeBlock = accountAction('remove block', blocks, 'unblock', {actsOn: listBlocks});
export const addMute = accountAction('add mute', mutes, 'mute', {list: listMutes});
export const removeMute = accountAction('remove mute', mutes, 'unmute', {actsOn: listMutes});
