import type {Endpoint} from '../api/endpoint.js';
import type {Authorizations} from './authorizations.js';
import type {ServerFacts} from './generation.js';
import type {ReceivedFields} from './request.js';
import type {JsonStyle} from '../json/php.js';
import type {Account, World} from './world.js';

/** One request, as far as an endpoint sees it. */
export interface OpenCall {
  readonly world: World;
  /** Query and body as one. */
  readonly fields: ReceivedFields;
  /** A part of the path, by its name in the record. */
  readonly part: (name: string) => string;
  /** Name of the client that the token was given to; null for tokens that no client asked for. */
  readonly client: string | null;
  /** What the token allows. */
  readonly scopes: readonly string[];
  readonly authorizations: Authorizations;
}

/** A request of somebody who is signed in. */
export interface Call extends OpenCall {
  readonly viewer: Account;
}

/** What is not a refusal: JSON, unless there is a page. */
export interface RouteAnswer {
  readonly body?: unknown;
  /** HTML. */
  readonly page?: string;
  /** What a file holds; its type is in the headers. */
  readonly file?: Uint8Array;
  /** 200 unless given. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly style?: JsonStyle;
}

type Answered = RouteAnswer | Promise<RouteAnswer>;

/** What a route needs of an endpoint's record; routes without a record state it themselves. */
type RoutedEndpoint = Pick<Endpoint, 'anonymous' | 'headers' | 'method' | 'path'> & {readonly scope: string | null};

interface RouteLimit {
  readonly requests: number;
  readonly seconds: number;
  /** For one account, beside what the server allows it elsewhere; else for one address, in place of that. */
  readonly perAccount?: true;
}

export interface Route extends RoutedEndpoint {
  /** The generations of servers that have it; all unless given. */
  readonly isOffered?: (facts: ServerFacts) => boolean;
  /** A limit of its own; null: none. */
  readonly limit?: (facts: ServerFacts) => RouteLimit | null;
  /** The viewer is null on anonymous routes only. */
  readonly answer: (call: OpenCall, viewer: Account | null) => Answered;
}

/** A route for those who are signed in. */
export function route(endpoint: RoutedEndpoint, answer: (call: Call) => Answered): Route {
  return {
    ...routing(endpoint),
    answer: (call, viewer) => {
      if (viewer === null) throw new Error(`${endpoint.method} ${endpoint.path} was reached without a viewer.`);
      return answer({...call, viewer});
    },
  };
}

/** A route that asks for no token. */
export const openRoute = (endpoint: RoutedEndpoint, answer: (call: OpenCall) => Answered): Route => ({
  ...routing(endpoint),
  anonymous: true,
  answer,
});

function routing({method, path, scope, headers, anonymous}: RoutedEndpoint): RoutedEndpoint {
  return {method, path, scope, ...(headers && {headers}), ...(anonymous && {anonymous})};
}

/** Of servers that have conversations. */
export const withConversations = (routes: readonly Route[]): readonly Route[] =>
  routes.map((each) => ({...each, isOffered: ({conversations}) => conversations}));

/** State that the routes of one file keep for a server, made when it is first asked for. */
export function keepPerWorld<State>(make: (world: World) => State): (world: World) => State {
  const states = new WeakMap<World, State>();
  return (world) => {
    const state = states.get(world) ?? make(world);
    states.set(world, state);
    return state;
  };
}
