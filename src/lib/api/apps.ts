/** Programs that act for people, which the API description leaves out. */
import * as z from 'zod/mini';
import {endpoint} from './endpoint.js';
import {identifier} from './entities.js';
import {field} from './field.js';

export const registerApp = endpoint({
  name: 'register app',
  section: null,
  method: 'POST',
  path: '/api/v1/apps',
  scope: null,
  anonymous: true,
  body: {
    client_name: field(z.string(), 'name that people see when they are asked to approve'),
    redirect_uris: field(z.string(), 'where browsers may be sent afterwards, one a line'),
    scopes: field(z.optional(z.string()), 'what will be asked for, with spaces between'),
  },
  output: z.looseObject({client_id: identifier, client_secret: z.string()}),
  // A registration whose answer is lost is never used.
  repeat: 'harmless',
  undoneBy: null,
});

export const verifyApp = endpoint({
  name: 'verify app',
  section: null,
  method: 'GET',
  path: '/api/v1/apps/verify_credentials',
  scope: null,
  output: z.looseObject({name: z.string()}),
});
