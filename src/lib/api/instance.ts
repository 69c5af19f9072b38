/** What servers without a configuration say of themselves, which the API description leaves out. */
import * as z from 'zod/mini';
import {endpoint} from './endpoint.js';

export const getInstance = endpoint({
  name: 'get instance',
  section: null,
  method: 'GET',
  path: '/api/v1/instance',
  scope: null,
  anonymous: true,
  output: z.looseObject({version: z.string()}),
});
