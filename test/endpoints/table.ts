/** A row for every endpoint that has a command, from the files beside this one. */
import {isObject} from '../../src/lib/api/schema.js';
import {readdirSync} from 'node:fs';
import type {Row} from './row.js';

const others = ['examples.ts', 'row.ts', 'table.ts'];
const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.ts') && !others.includes(file));

async function rowsIn(file: string): Promise<readonly Row[]> {
  const {rows}: {rows: readonly Row[]} = await import(new URL(file, import.meta.url).href);
  return rows;
}

export const table: readonly Row[] = (await Promise.all(files.map(rowsIn))).flat();

/** The commands that list what an account has, and take several accounts. */
export const lists: readonly string[] = table
  .filter(
    ({endpoint: {method, rows, view, pathFields}}) =>
      method === 'GET' && rows !== undefined && view?.kind !== 'record' && Object.keys(pathFields).length === 0,
  )
  .map(({command}) => command)
  .toSorted();

/** The row of a command. */
export function rowOf(command: string): Row {
  const found = table.find((row) => row.command === command);
  if (found === undefined) throw new Error(`There is no row of ${command}`);
  return found;
}

/** Commands with many targets that have no row, as they would have one. */
const ownLines: Readonly<Record<string, readonly string[]>> = {'dm export': ['dm', 'export', '1', '--to', 'FOLDER/messages']};

/** The flags that a command with many targets is run with, but for `--yes`. FOLDER stands for a folder. */
export function flagsOf(command: string): readonly string[] {
  const args = table.find((row) => row.command === command)?.on2026.args ?? ownLines[command] ?? [];
  const first = args.findIndex((word) => word.startsWith('--'));
  return first === -1 ? [] : args.slice(first).filter((word) => word !== '--yes');
}

/** The sandbox's token for a command line: that of an admin where the endpoint is for admins. */
export function sandboxToken(words: readonly string[]): string {
  const line = `${words.join(' ')} `;
  const isForAdmins = table.some(({command, scope}) => scope?.startsWith('admin:') === true && line.startsWith(`${command} `));
  return isForAdmins ? 'sandbox-admin-as-admin' : 'sandbox-ana';
}

/** The example of an answer, as a server gives it that did what was asked: a write that is contradicted is not believed. */
export function asAsked(answer: unknown, asked: unknown): unknown {
  if (!isObject(answer) || !isObject(asked)) return answer;
  const settled = Object.entries(asked).filter(([name, value]) => typeof value === typeof answer[name] && typeof value !== 'object');
  return {...answer, ...Object.fromEntries(settled)};
}
