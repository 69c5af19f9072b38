/** What commands print with `--json` fits the schemas that the reference is made from: all that tests run in their process is checked here. */
import * as z from 'zod/mini';
import {jsonDocuments} from '../src/lib/cli/printed-documents.js';
import {isObject} from '../src/lib/api/schema.js';

interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

const isJson = (args: readonly string[]): boolean =>
  args.some(
    (arg, index) => arg === '--json' || /^(-o|--output)=?json$/.test(arg) || (/^(-o|--output)$/.test(arg) && args[index + 1] === 'json'),
  );

/** With these it prints something else: a part, requests, help. */
const others = /^(--(jq|fields|dry-run|help)(=.*)?|-q|-h)$/;

const schemaOf = (name: string): z.ZodMiniType | undefined => jsonDocuments.find((document) => document.name === name)?.schema();

function isResult(value: unknown): boolean {
  const item = isObject(value) && 'item' in value ? value['item'] : value;
  return isObject(item) && typeof item['ok'] === 'boolean' && 'target' in item;
}

function documentOf(args: readonly string[], value: unknown): string | undefined {
  const words = args.join(' ');
  const own = jsonDocuments.find(({commands}) => commands.some((command) => words.startsWith(`${command} `) || words === command));
  return own?.name ?? (Array.isArray(value) && value.length > 0 && value.every(isResult) ? 'results' : undefined);
}

function check(name: string, value: unknown, args: readonly string[]): void {
  const {error} = z.safeParse(schemaOf(name) ?? z.never(), value);
  if (error === undefined) return;
  throw new Error(
    `What \`${args.join(' ')}\` printed does not fit the schema of ${name}, which src/lib/cli/printed-documents.ts names: ${z.prettifyError(error)}`,
  );
}

/** @throws Error where a document or an error is not as the reference says */
export function checkDocuments(args: readonly string[], {stdout, stderr}: Printed): void {
  if (!isJson(args) || args.some((arg) => others.test(arg))) return;
  for (const line of stderr.split('\n')) if (line.startsWith('{"error":')) check('error', JSON.parse(line), args);
  if (!/^[[{]/.test(stdout)) return;
  const value: unknown = JSON.parse(stdout);
  const name = documentOf(args, value);
  if (name !== undefined) check(name, value, args);
}

/** What is on each line of NDJSON. */
export const jsonLines = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
