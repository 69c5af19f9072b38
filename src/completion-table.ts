/** The table of completion. It loads every command, so the bundle holds the finished table in its place (scripts/bundle.js). */
import {fileURLToPath} from 'node:url';
import {commands} from './commands.js';
import {tableOf, type CompletionTable} from './lib/cli/completion/model.js';
import {readPackage} from './lib/cli/shell/version.js';

export async function completionTable(): Promise<CompletionTable> {
  const {oclif} = readPackage(fileURLToPath(new URL('..', import.meta.url)));
  const titles = Object.entries(oclif.topics ?? {}).map(([name, {description = ''}]) => [name, description] as const);
  return tableOf(commands, Object.fromEntries(titles));
}
