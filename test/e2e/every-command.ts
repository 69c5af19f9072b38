/** Every command that there is, with words after it that bring it as far as possible. */
import {createHash} from 'node:crypto';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {sumsOf} from './backups.js';
import {account, conversation} from './demo-world.js';
import {root} from './program.js';
import {table} from '../endpoints/table.js';

export interface CommandLine {
  readonly args: readonly string[];
  readonly stdin?: string;
}

interface Manifest {
  readonly commands: Readonly<
    Record<
      string,
      {readonly args: Readonly<Record<string, {readonly required?: boolean}>>; readonly flags: Readonly<Record<string, unknown>>}
    >
  >;
}

const {commands}: Manifest = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8'));

/** As in `dm:list`. */
export const commandIds = Object.keys(commands);

export const hasFlag = (id: string, name: string): boolean => name in (commands[id]?.flags ?? {});

const policyFile = 'policy.yml';
const backup = 'saved';
const dated = join('lists', '2026-10-31T020000Z');
const policy = 'version: 1\ndomain_blocks: {must: [bad.example]}\n';
const ownFiles: Readonly<Record<string, string>> = {
  [policyFile]: policy,
  'followed.yml': 'version: 1\ndomain_blocks: {must: [bad.example], protect_followed: 3}\n',
  [join(backup, dated, 'policy.yml')]: policy,
  [join(backup, dated, 'SHA256SUMS')]: sumsOf([`${createHash('sha256').update(policy).digest('hex')}  policy.yml`]),
  [join(backup, 'backup.json')]: '{"backup": 1, "server": "https://pix.example", "account": {"id": "1", "acct": "ana"}}\n',
};

/** What the command lines name: files, and folders that they make. */
const places = [policyFile, backup, 'new-backup', 'archive'];

/** Writes the files that the command lines name into the folder that they run in. */
export function writeFiles(folder: string): void {
  for (const [name, text] of Object.entries(ownFiles)) {
    mkdirSync(dirname(join(folder, name)), {recursive: true});
    writeFileSync(join(folder, name), text);
  }
}

/** The command line where another folder is the one that it runs in. */
export const namingFilesIn = (folder: string, args: readonly string[]): string[] =>
  args.map((word) => (places.includes(word) ? join(folder, word) : word));

/** What is not in the rows of the endpoints. */
const others: Readonly<Record<string, CommandLine>> = {
  api: {args: ['api', 'POST', '/api/v1/statuses', '--field', 'status=Hello']},
  'auth login': {args: ['auth', 'login', '--with-token', '--profile', 'new'], stdin: 'token-of-a-test'},
  'auth logout': {args: ['auth', 'logout', 'bob']},
  'auth switch': {args: ['auth', 'switch', 'bob']},
  completion: {args: ['completion', 'zsh']},
  ...Object.fromEntries(['validate', 'audit', 'plan', 'apply', 'diff'].map((word) => [word, {args: [word, policyFile]}])),
  explain: {args: ['explain', 'bad.example', '--policy', policyFile]},
  backup: {args: ['backup', '--to', 'new-backup']},
  restore: {args: ['restore', backup]},
  'blocks contains': {args: ['blocks', 'contains', account('troll42')]},
  'domain-blocks contains': {args: ['domain-blocks', 'contains', 'spam.example.net']},
  'mutes contains': {args: ['mutes', 'contains', account('sly')]},
  undo: {args: ['undo', policyFile]},
  'state list': {args: ['state', 'list', policyFile]},
  'state adopt': {args: ['state', 'adopt', policyFile, '--all']},
  'state forget': {args: ['state', 'forget', policyFile, 'bad.example']},
  'dm export': {args: ['dm', 'export', '--to', 'archive']},
  'dm clear': {args: ['dm', 'clear', conversation('bob').id]},
  // Without a terminal it asks nothing.
  'dm triage': {args: ['dm', 'triage'], stdin: ''},
  // Else it goes on for ever.
  sandbox: {args: ['sandbox', '--fault', 'explode']},
};

/** The command line of a command, which asks nothing. */
export function commandLine(id: string): CommandLine {
  const words = id.replaceAll(':', ' ');
  const row = table.find(({command}) => command === words)?.on2026 ?? others[words];
  const required = Object.values(commands[id]?.args ?? {}).flatMap((argument) => (argument.required === true ? ['1'] : []));
  const {args, stdin} = row ?? {args: [...words.split(' '), ...required]};
  const yes = hasFlag(id, 'yes') && !args.includes('--yes') ? ['--yes'] : [];
  return {args: [...args, ...yes], ...(stdin !== undefined && {stdin})};
}
