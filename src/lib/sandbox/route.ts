import type {Endpoint} from '../api/endpoint.js';
import type {ServerFacts} from './generation.js';
import type {ReceivedFields} from './received-request.js';
import type {Account, World} from './world.js';

export interface Call {
  readonly world: World;
  /** The account whose token came with the request. @throws Error on routes that ask for no token */
  readonly viewer: Account;
  readonly fields: ReceivedFields;
  /** A part of the path, by its name in the record. */
  readonly part: (name: string) => string;
}

/** An answer that is not a refusal: JSON, unless there is a page or a file. */
export interface RouteAnswer {
  readonly body?: unknown;
  readonly page?: string;
  /** The bytes of a file; its type is in the headers. */
  readonly file?: Uint8Array;
  /** 200 unless given. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The parts of an endpoint's record that a route needs. Routes without a record state them themselves. */
type RoutedEndpoint = Pick<Endpoint, 'anonymous' | 'headers' | 'method' | 'path' | 'scope'>;

interface RouteLimit {
  readonly requests: number;
  readonly seconds: number;
  /** Set when the limit is for one account, in addition to the general one. Otherwise it is for one address, and replaces that. */
  readonly perAccount?: true;
}

export interface Route extends RoutedEndpoint {
  /** The rate limit of this route; null: none. */
  readonly limit?: (facts: ServerFacts) => RouteLimit | null;
  readonly answer: (call: Call) => RouteAnswer | Promise<RouteAnswer>;
}

export const route = (
  {method, path, scope, headers, anonymous}: RoutedEndpoint,
  answer: Route['answer'],
  more: Pick<Route, 'limit'> = {},
): Route => ({method, path, scope, ...(headers && {headers}), ...(anonymous && {anonymous}), answer, ...more});

/** Gives the routes of one file a state for each server. It is made when it is first asked for. */
export function keepPerWorld<State>(make: (world: World) => State): (world: World) => State {
  const states = new WeakMap<World, State>();
  return (world) => {
    const state = states.get(world) ?? make(world);
    states.set(world, state);
    return state;
  };
}
