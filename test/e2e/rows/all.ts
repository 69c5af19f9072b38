import {conversationRows} from './conversations.js';
import {deviceRows} from './device.js';
import {moderationRows} from './moderation.js';
import type {Expectation} from './row.js';
import {threadRows} from './threads.js';

/** One for every endpoint of the API description. */
export const expectations: readonly Expectation[] = [...conversationRows, ...threadRows, ...moderationRows, ...deviceRows];
