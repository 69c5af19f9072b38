/** Endpoints without a command of their own: accounts, apps, uploads. */
import * as z from 'zod/mini';
import {endpoint} from './endpoint.js';
import {identifier, limit} from './entities.js';
import {kinds} from './kinds.js';
import {field, isEmptyArray, once, allowKnownMismatch} from './schema.js';

const common = {section: null, internal: true} as const;

const names = {id: identifier, username: z.string(), acct: z.string()};
const account = once(() => z.looseObject(names));

export const verifyCredentials = endpoint({
  name: 'verify credentials',
  ...common,
  method: 'GET',
  path: '/api/v1/accounts/verify_credentials',
  scope: 'read',
  output: account,
});

export const getAccount = endpoint({
  name: 'get account',
  ...common,
  method: 'GET',
  path: '/api/v1/accounts/{id}',
  scope: 'read',
  pathFields: {id: field(z.string(), 'id of the account', {isId: true})},
  answersAbout: {field: 'id', at: ['id']},
  output: account,
  items: kinds.account,
});

/** A post, if the token's account may see it. */
export const getStatus = endpoint({
  name: 'get status',
  ...common,
  method: 'GET',
  path: '/api/v1/statuses/{id}',
  scope: 'read',
  pathFields: {id: field(z.string(), 'id of the post', {isId: true})},
  answersAbout: {field: 'id', at: ['id']},
  output: () => z.looseObject({id: identifier}),
});

function accountsAround(name: string, verb: 'followers' | 'following') {
  return endpoint({
    name,
    ...common,
    method: 'GET',
    path: `/api/v1/accounts/{id}/${verb}`,
    scope: 'read',
    pathFields: {id: field(z.string(), 'id of the account', {isId: true})},
    query: {limit},
    output: () => z.array(account()),
    rows: [],
    // Servers send 10 accounts on a page unless a request asks for more.
    paging: {by: 'link'},
  });
}

export const listFollowers = accountsAround('list followers', 'followers');
export const listFollowing = accountsAround('list following', 'following');

/** Finds a local account; an empty list means that there is none. Servers allow 30 requests in two minutes. */
export const getAccountByName = endpoint({
  name: 'get account by name',
  ...common,
  method: 'GET',
  path: '/api/v1.1/accounts/username/{name}',
  scope: 'read',
  pathFields: {name: field(z.string(), 'user name, without the server')},
  countedApart: true,
  output: () => z.looseObject(names, allowKnownMismatch(isEmptyArray)),
});

/** Finds remote accounts too, if the server knows them. Servers allow 50 requests a day per IP address. */
export const lookUpAccount = endpoint({
  name: 'look up account',
  ...common,
  method: 'GET',
  path: '/api/v1/accounts/lookup',
  scope: null,
  query: {acct: field(z.string(), '`@user`, or `@user@host`')},
  countedApart: true,
  output: account,
});

export const registerApp = endpoint({
  name: 'register app',
  ...common,
  method: 'POST',
  path: '/api/v1/apps',
  scope: null,
  anonymous: true,
  body: {
    client_name: field(z.string(), 'name of the app that people see when they approve'),
    redirect_uris: field(z.string(), 'addresses to which browsers may be redirected, one per line'),
    scopes: field(z.optional(z.string()), 'scopes to ask for, separated by spaces'),
  },
  output: () => z.looseObject({client_id: identifier, client_secret: z.string()}),
  // A registration whose answer is lost is never used.
  repeat: 'harmless',
});

/** Information about servers that publish no configuration. */
export const getInstance = endpoint({
  name: 'get instance',
  ...common,
  method: 'GET',
  path: '/api/v1/instance',
  scope: null,
  anonymous: true,
  output: () => z.looseObject({version: z.string()}),
});

/**
 * Counts on Mastodon, for people with the permission View Dashboard. Counts for a domain are of all time, whatever the period;
 * releases that know `include_subdomains` include its subdomains.
 */
export const measure = endpoint({
  name: 'measure',
  ...common,
  method: 'POST',
  path: '/api/v1/admin/measures',
  scope: 'admin:read',
  errors: {onlyAdmins: true},
  body: {
    keys: field(z.array(z.string()), 'what is measured'),
    start_at: field(z.string(), 'first day'),
    end_at: field(z.string(), 'last day'),
  },
  output: () => z.array(z.looseObject({key: z.string(), total: z.string()})),
  isRead: true,
  repeat: 'harmless',
});

/** Whether the server has an API for admins. It tells only admins. */
export const getAdminSupport = endpoint({
  name: 'get admin support',
  ...common,
  method: 'GET',
  path: '/api/admin/supported',
  scope: 'admin:read',
  errors: {onlyAdmins: true},
  output: () => z.looseObject({supported: z.boolean()}),
});

/** A file is uploaded before the message that it belongs to. */
export const uploadMedia = endpoint({
  name: 'upload media',
  ...common,
  method: 'POST',
  path: '/api/v2/media',
  scope: 'write',
  body: {file: field(z.string(), 'path of the image or video to upload')},
  files: ['file'],
  output: () => z.looseObject({id: identifier}),
  repeat: 'never',
});
