/** The typed client, for scripts: `import {createClient, listBlocks} from 'pixelctl/client'`. */
export * from '../api/blocks.js';
export * from '../api/config.js';
export * from '../api/direct.js';
export type {Endpoint, Input, Output} from '../api/endpoint.js';
export * from '../api/filters.js';
export * from '../api/internal.js';
export * from '../api/notifications.js';
export * from '../api/push.js';
export * from '../api/report.js';
export * from '../api/thread.js';
export type {Answer} from './answer.js';
export {createClient, type TypedClient as Client, type ClientOptions, type WireEvent} from './client.js';
export {Failure, type FailureCode} from './failure.js';
