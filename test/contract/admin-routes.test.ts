/** Every route that a token of an admin opens on Pixelfed 0.12.6 has its command. */
import {expect, test} from 'vitest';
import {endpoints} from '../../src/lib/api/endpoints.js';
import {getAdminSupport} from '../../src/lib/api/internal.js';
import {table} from '../endpoints/table.js';

/** As `routes/api.php` of that release has them. */
const routes: Readonly<Record<string, readonly string[]>> = {
  'GET /api/v1/admin/domain_blocks': ['admin domain-blocks list'],
  'POST /api/v1/admin/domain_blocks': ['admin domain-blocks add'],
  'GET /api/v1/admin/domain_blocks/{id}': ['admin domain-blocks get'],
  'PUT /api/v1/admin/domain_blocks/{id}': ['admin domain-blocks update'],
  'DELETE /api/v1/admin/domain_blocks/{id}': ['admin domain-blocks remove'],
  'GET /api/admin/supported': ['doctor'],
  'GET /api/admin/stats': ['admin stats'],
  'GET /api/admin/instance/stats': ['admin stats'],
  'GET /api/admin/config': ['admin settings list'],
  'POST /api/admin/config/update': ['admin settings update'],
  'GET /api/admin/autospam/list': ['autospam list'],
  'POST /api/admin/autospam/handle': ['autospam handle'],
  'GET /api/admin/mod-reports/list': ['reports list'],
  'POST /api/admin/mod-reports/handle': ['reports handle'],
  'POST /api/admin/moderate/post/{id}': ['posts moderate'],
  'GET /api/admin/users/list': ['users list'],
  'GET /api/admin/users/get': ['users get'],
  'POST /api/admin/users/action': ['users update', 'users delete'],
  'GET /api/admin/instances/list': ['instances list'],
  'GET /api/admin/instances/get': ['instances get'],
  'POST /api/admin/instances/moderate': ['instances moderate'],
  'POST /api/admin/instances/refresh-stats': ['instances refresh'],
};

test('all 22 routes of the token API of admins have their command', () => {
  expect(Object.keys(routes)).toHaveLength(22);
  const known = [
    ...table.map(({command, endpoint: {method, path}}) => ({command, route: `${method} ${path}`})),
    // It has no command of its own: doctor asks it.
    {command: 'doctor', route: `${getAdminSupport.method} ${getAdminSupport.path}`},
  ];
  const commandsOf = (route: string) => known.flatMap((one) => (one.route === route ? one.command : []));
  expect(Object.fromEntries(Object.keys(routes).map((route) => [route, commandsOf(route)]))).toEqual(routes);
});

test('no other route of admins has a command', () => {
  const all = endpoints.map(({method, path}) => `${method} ${path}`).filter((route) => / \/api\/(?:v1\/)?admin\//.test(route));
  expect(all.filter((route) => !(route in routes))).toEqual([]);
});
