import {endpoint} from './endpoint.js';
import {configuration} from './entities.js';

export const getConfiguration = endpoint({
  name: 'get configuration',
  section: 'Configuration',
  method: 'GET',
  path: '/api/v2.1/config',
  scope: null,
  anonymous: true,
  errors: {
    hints: [
      {
        on: 'unknown_route',
        hint: 'servers before 2026 have no such configuration: see',
        use: () => ({command: 'api GET /api/v1/instance'}),
      },
    ],
  },
  output: configuration,
});
