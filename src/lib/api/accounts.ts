/** Accounts by themselves, which the API description leaves out. */
import * as z from 'zod/mini';
import {isEmptyArray, orAsSent} from './departure.js';
import {endpoint} from './endpoint.js';
import {identifier} from './entities.js';
import {field} from './field.js';

const names = {id: identifier, username: z.string(), acct: z.string()};
const account = z.looseObject(names);

export const verifyCredentials = endpoint({
  name: 'verify credentials',
  section: null,
  method: 'GET',
  path: '/api/v1/accounts/verify_credentials',
  scope: 'read',
  output: account,
});

export const getAccount = endpoint({
  name: 'get account',
  section: null,
  method: 'GET',
  path: '/api/v1/accounts/{id}',
  scope: 'read',
  pathFields: {id: field(z.string(), 'id of the account', {isId: true})},
  output: account,
});

/** Finds an account of the server itself; an empty list says that there is none of that name. */
export const getAccountByName = endpoint({
  name: 'get account by name',
  section: null,
  method: 'GET',
  path: '/api/v1.1/accounts/username/{name}',
  scope: 'read',
  pathFields: {name: field(z.string(), 'user name, without the server')},
  output: z.looseObject(names, orAsSent(isEmptyArray)),
});

/** Finds accounts of other servers too, as far as the server knows them. Servers allow 50 a day from one address. */
export const lookUpAccount = endpoint({
  name: 'look up account',
  section: null,
  method: 'GET',
  path: '/api/v1/accounts/lookup',
  scope: null,
  query: {acct: field(z.string(), '`@user`, or `@user@host`')},
  countedApart: true,
  output: account,
});
