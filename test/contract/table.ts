/** The contract: a row for every documented endpoint. */
import {rows as direct} from './documented/direct.js';
import {rows as moderation} from './documented/moderation.js';
import {rows as settings} from './documented/settings.js';
import {rows as thread} from './documented/thread.js';
import type {Row} from './row.js';

export const table: readonly Row[] = [...direct, ...thread, ...moderation, ...settings];

/** The row of a command. */
export function rowOf(command: string): Row {
  const found = table.find((row) => row.command === command);
  if (found === undefined) throw new Error(`There is no row of ${command}`);
  return found;
}
