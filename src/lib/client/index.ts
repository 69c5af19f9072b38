/** What scripts can import: the typed client. scripts/bundle.js adds the records. */
export type {Endpoint, Input, Output} from '../api/endpoint.js';
export type {Answer} from './answer.js';
export type {TypedClient as Client, WireEvent} from './client.js';
export {Failure, type FailureCode} from './failure.js';
export type {Clock} from './retry.js';
export {createClient, type ScriptOptions as ClientOptions} from './script-client.js';
