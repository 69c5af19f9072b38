/** Accounts by themselves, which the API description leaves out. */
import * as z from 'zod/mini';
import {endpoint} from './endpoint.js';
import {identifier} from './entities.js';
import {field} from './field.js';

const account = z.looseObject({id: identifier, username: z.string(), acct: z.string()});

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
  pathFields: {id: field(z.string(), 'id of the account')},
  output: account,
});
