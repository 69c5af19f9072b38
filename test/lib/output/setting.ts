/** Where the tests print to. */
import type {Terminal} from '../../../src/lib/output/print.js';

export const now = new Date('2026-11-20T12:00:00Z');
export const pipe: Terminal = {isTerminal: false, width: 80, color: false};
export const screen: Terminal = {isTerminal: true, width: 80, color: false};
