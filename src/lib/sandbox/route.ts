import type {Endpoint} from '../api/endpoint.js';
import type {ServerFacts} from './generation.js';
import type {ReceivedFields} from './received-request.js';
import type {Account, World} from './world.js';

/** One request, as far as an endpoint sees it. */
export interface Call {
  readonly world: World;
  /** Whose token it came with. @throws Error on routes that ask for none */
  readonly viewer: Account;
  /** Query and body as one. */
  readonly fields: ReceivedFields;
  /** A part of the path, by its name in the record. */
  readonly part: (name: string) => string;
}

/** What is not a refusal: JSON, unless there is a page or a file. */
export interface RouteAnswer {
  readonly body?: unknown;
  /** HTML. */
  readonly page?: string;
  /** What a file holds; its type is in the headers. */
  readonly file?: Uint8Array;
  /** 200 unless given. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a route needs of an endpoint's record; routes without a record state it themselves. */
type RoutedEndpoint = Pick<Endpoint, 'anonymous' | 'headers' | 'method' | 'path' | 'scope'>;

interface RouteLimit {
  readonly requests: number;
  readonly seconds: number;
  /** For one account, beside what the server allows it elsewhere; else for one address, in place of that. */
  readonly perAccount?: true;
}

export interface Route extends RoutedEndpoint {
  /** A limit of its own; null: none. */
  readonly limit?: (facts: ServerFacts) => RouteLimit | null;
  readonly answer: (call: Call) => RouteAnswer | Promise<RouteAnswer>;
}

/** What the server does at an endpoint. */
export const route = (
  {method, path, scope, headers, anonymous}: RoutedEndpoint,
  answer: Route['answer'],
  more: Pick<Route, 'limit'> = {},
): Route => ({method, path, scope, ...(headers && {headers}), ...(anonymous && {anonymous}), answer, ...more});

/** State that the routes of one file keep for a server, made when it is first asked for. */
export function keepPerWorld<State>(make: (world: World) => State): (world: World) => State {
  const states = new WeakMap<World, State>();
  return (world) => {
    const state = states.get(world) ?? make(world);
    states.set(world, state);
    return state;
  };
}
