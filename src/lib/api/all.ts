/** Every endpoint that has a command. For what needs them all: the sandbox, the reference, the contract tests. Commands import their own. */
import * as blocks from './blocks.js';
import * as config from './config.js';
import * as direct from './direct.js';
import type {Endpoint} from './endpoint.js';
import * as filters from './filters.js';
import * as notifications from './notifications.js';
import * as push from './push.js';
import * as report from './report.js';
import * as thread from './thread.js';

export const endpoints: readonly Endpoint[] = [direct, thread, blocks, filters, report, config, push, notifications].flatMap((section) =>
  Object.values<Endpoint>(section),
);
