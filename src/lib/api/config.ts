/** Section 4.6 of the API description: what the server is and what it allows. */
import {endpoint} from './endpoint.js';
import {configuration} from './entities.js';

export const getConfiguration = endpoint({
  name: 'get configuration',
  section: '4.6',
  method: 'GET',
  path: '/api/v2.1/config',
  scope: null,
  anonymous: true,
  output: configuration,
});
