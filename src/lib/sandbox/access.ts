/** Decides who may use a route, and refuses everybody else as servers do. */
import {abort, Refusal} from './refusal.js';
import type {ServerFacts} from './generation.js';
import type {Route} from './route.js';
import type {Account, Grant} from './world.js';

/** @throws Refusal of a token without the scope, and of people who are not admins on a route for admins */
export type Access = (route: Route, grant: Grant, viewer: Account, facts: ServerFacts) => void;

export const refuseUnlessAllowed: Access = ({scope, path}, {scopes}, viewer, {is2026}) => {
  const hasScope = scope === null || scopes.includes(scope);
  if (path.startsWith('/api/admin/moderate/') && !(viewer.admin && hasScope)) throw abort(403);
  // Servers hide these routes from everybody but admins.
  if (path.startsWith('/api/admin/') && !(viewer.admin && hasScope)) throw abort(404);
  if (path.startsWith('/api/v1/admin/')) {
    if (!viewer.admin) throw abort(403, 'You must be an administrator to do that');
    if (!hasScope) throw new Refusal('forbidden', 403, 'Invalid scope(s) provided.');
  }
  const isDirect = path.startsWith('/api/v1.1/direct/');
  if (hasScope || (isDirect && !is2026)) return;
  // Only routes of conversations name the missing scope.
  throw abort(403, isDirect ? `Missing required scope: ${scope}` : '');
};
