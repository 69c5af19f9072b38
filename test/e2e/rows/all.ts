import {conversationRows} from './conversations.js';
import {deviceRows} from './device.js';
import {moderationRows} from './moderation.js';
import type {Expectation} from './row.js';
import {threadRows} from './threads.js';

/** One for every endpoint that has a command. */
export const expectations: readonly Expectation[] = [...conversationRows, ...threadRows, ...moderationRows, ...deviceRows];
