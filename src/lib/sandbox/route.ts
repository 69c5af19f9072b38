import type {Endpoint} from '../api/endpoint.js';
import {oncePer} from '../api/schema.js';
import {checkInput, rulesOf, type Rules} from './input.js';
import type {Account} from './payloads.js';
import type {ReceivedFields} from './received-request.js';
import {abort, Refusal} from './refusal.js';
import type {Grant, ServerFacts, World} from './world.js';

export interface Call {
  readonly world: World;
  /** The account whose token came with the request. @throws Error on routes that ask for no token */
  readonly viewer: Account;
  readonly fields: ReceivedFields;
  /** A field of the input as text; empty where it is absent. */
  readonly text: (name: string) => string;
  /** A part of the path, by its name in the record. */
  readonly part: (name: string) => string;
}

/** The parts of an endpoint's record that a route needs. Routes without a record state them themselves. */
export type Routed = Partial<Pick<Endpoint, 'anonymous' | 'body' | 'headers' | 'query'>> & Pick<Endpoint, 'method' | 'path' | 'scope'>;

/** What servers require of the input beyond the record. */
export type MoreRules = Rules | ((world: World) => Rules);

export interface Route {
  readonly record: Routed;
  /** The body of an answer of JSON with status 200, or any other answer as a `Response`. */
  readonly answer: (call: Call) => unknown;
}

export function route(record: Routed, answer: Route['answer'], more: MoreRules = {}): Route {
  const recorded = rulesOf({query: {}, body: {}, ...record});
  return {
    record,
    answer(call) {
      checkInput(call.fields, recorded, typeof more === 'function' ? more(call.world) : more);
      return answer(call);
    },
  };
}

/** A record for servers that require less than it says: only what the route adds. */
export const unchecked = (record: Endpoint): Endpoint => ({...record, query: {}, body: {}});

/** @throws Refusal of a token without the scope, and of people who are not admins on a route for admins */
export type Access = (record: Routed, grant: Grant, viewer: Account, facts: ServerFacts) => void;

export const refuseUnlessAllowed: Access = ({scope, path}, {scopes}, viewer, {is2026}) => {
  const hasScope = scope === null || scopes.includes(scope);
  // Servers hide most routes of admins from everybody else.
  if (path.startsWith('/api/admin/') && !(viewer.is_admin && hasScope)) throw abort(path.startsWith('/api/admin/moderate/') ? 403 : 404);
  if (path.startsWith('/api/v1/admin/')) {
    if (!viewer.is_admin) throw abort(403, 'You must be an administrator to do that');
    if (!hasScope) throw new Refusal('forbidden', 403, 'Invalid scope(s) provided.');
  }
  const isDirect = path.startsWith('/api/v1.1/direct/');
  if (hasScope || (isDirect && !is2026)) return;
  // Only routes of conversations name the missing scope.
  throw abort(403, isDirect ? `Missing required scope: ${scope}` : '');
};

/** Gives the routes of one file a state for each server. It is made when it is first asked for. */
export const keepPerWorld = <State extends object>(make: (world: World) => State): ((world: World) => State) => oncePer(make);
