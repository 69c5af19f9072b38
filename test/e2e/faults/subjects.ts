/** The commands that meet faults, and what they send where nothing is wrong. */
import {endpoints} from '../../../src/lib/api/endpoints.js';
import {isWrite} from '../../../src/lib/api/endpoint.js';
import {commandIds, commandLine, hasFlag, type CommandLine} from '../every-command.js';
import {conversation} from '../demo-world.js';
import {table} from '../../endpoints/table.js';
import type {Row} from '../../endpoints/row.js';

/** What one request of a command does, or that it sends several. */
export type Kind = 'other' | 'read' | 'repeatable write' | 'write that acts twice';

export interface Subject extends CommandLine {
  /** `dm send` */
  readonly command: string;
  readonly kind: Kind;
  readonly row: Row | undefined;
  /** Whether it prints JSON when it is asked to. */
  readonly hasJson: boolean;
}

/** Commands that have something counted by a request of the same line, before they send their own. */
const counting = new Set(['users delete']);

/** What stands behind the line of a write that does no harm when it is repeated, although others of its line do. */
const harmless = ' (harmless)';

/** The line of a request as commands mean it. @param before how many of that line came before */
export function lineOf({command}: Pick<Subject, 'command'>, line: string, before: number): string {
  const isHarmless = line.startsWith('POST ') && counting.has(command) && before === 0;
  return isHarmless ? line + harmless : line;
}

function kindOf(row: Row | undefined): Kind {
  if (row === undefined) return 'other';
  if (!isWrite(row.endpoint)) return 'read';
  return row.endpoint.repeat === 'harmless' ? 'repeatable write' : 'write that acts twice';
}

/** Where the usual words of a command are refused by a server that works. */
const ownLines: Readonly<Record<string, Partial<CommandLine>>> = {
  api: {args: ['api', 'POST', `/api/v1.1/direct/conversations/${conversation('bob').id}/messages`, '--field', 'message=Hello']},
  'auth login': {stdin: 'sandbox-ana'},
};

export const subjects: readonly Subject[] = commandIds.map((id) => {
  const command = id.replaceAll(':', ' ');
  const row = table.find((one) => one.command === command);
  return {
    command,
    kind: kindOf(row),
    row,
    hasJson: hasFlag(id, 'json') && command !== 'completion',
    ...commandLine(id),
    ...ownLines[command],
  };
});

const patterns = endpoints.map((one) => ({
  ...one,
  matches: new RegExp(`^${one.method} ${one.path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

/** What a request does. @param line method and path */
export function requestKind(line: string): Exclude<Kind, 'other'> {
  if (line.endsWith(harmless)) return 'repeatable write';
  const known = patterns.find(({matches}) => matches.test(line));
  if (known === undefined) return line.startsWith('GET ') ? 'read' : 'write that acts twice';
  if (!isWrite(known)) return 'read';
  return known.repeat === 'harmless' ? 'repeatable write' : 'write that acts twice';
}

export function subjectOf(command: string): Subject {
  const found = subjects.find((subject) => subject.command === command);
  if (found === undefined) throw new Error(`There is no command ${command}`);
  return found;
}
