/** Accounts by themselves, which the API description leaves out. */
import * as z from 'zod/mini';
import {endpoint} from './endpoint.js';
import {identifier} from './entities.js';

export const verifyCredentials = endpoint({
  name: 'verify credentials',
  section: 'none',
  method: 'GET',
  path: '/api/v1/accounts/verify_credentials',
  scope: 'read',
  output: z.looseObject({id: identifier, username: z.string(), acct: z.string()}),
});
