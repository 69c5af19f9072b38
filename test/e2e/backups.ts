/** Backups as tests make, change and compare them. */
import {createHash} from 'node:crypto';
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {SeedState} from '../sandbox/seed.js';
import {startSandbox, type Sandbox, type SandboxOptions} from '../sandbox/start.js';
import {run} from './in-process.js';
import {newFolder, type Ended} from './program.js';

/** A backup's folder, which is not there yet. */
export const newBackup = (): string => join(newFolder(), 'backup');

/** What an account has that a backup restores. */
export type Lists = Pick<SeedState, 'blocks' | 'domainBlocks' | 'filters' | 'mutes'>;

export const noLists: Lists = {};

export const someLists: Lists = {
  blocks: ['bob', 'troll@spam.example'],
  mutes: ['eve', 'ads@shop.example'],
  domainBlocks: ['bad.example', 'worse.example'],
  filters: [
    {title: 'Ads', context: ['home'], keywords: [{keyword: 'buy'}]},
    {title: 'Ads', context: ['home', 'public'], action: 'hide', keywords: [{keyword: 'sale', wholeWord: false}]},
    {title: 'Snakes', context: ['tags'], expiresIn: 864_000, keywords: [{keyword: 'schlange'}]},
  ],
};

export interface Place extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly host: string;
  readonly run: (...args: readonly string[]) => Promise<Ended>;
  /** Runs a command as somebody else. */
  readonly runAs: (token: string | undefined, ...args: readonly string[]) => Promise<Ended>;
}

/** A server with these people, of whom the first one acts. */
export async function serverWith(
  people: readonly string[],
  lists: Lists & Pick<SeedState, 'conversations'>,
  options: SandboxOptions = {},
): Promise<Place> {
  const seed: SeedState = {accounts: people.map((acct, index) => ({acct, admin: index === 0})), ...lists};
  const sandbox = await startSandbox({limitsRate: false, ...options, seed});
  const env = {PIXELCTL_SERVER: sandbox.url, PIXELCTL_TOKEN: sandbox.tokens.all};
  return {
    sandbox,
    host: new URL(sandbox.url).host,
    run: (...args) => run(args, {env}),
    runAs: (token = '', ...args) => run(args, {env: {...env, PIXELCTL_TOKEN: token}}),
    [Symbol.asyncDispose]: () => sandbox.close(),
  };
}

export const people = ['ana', 'bob', 'eve', 'troll@spam.example', 'ads@shop.example'];

/** The names of the folders of a backup's lists, the oldest first. */
export const datesOf = (backup: string): string[] =>
  readdirSync(join(backup, 'lists'))
    .filter((name) => /^\d{4}-\d\d-\d\dT\d{6}Z(\.shrunk)?$/.test(name))
    .sort();

/** The newest lists that had not lost much, or of which that was accepted. */
export const latestOf = (backup: string): string => datesOf(backup).findLast((name) => !name.endsWith('.shrunk')) ?? '';

/** The folder with the latest lists of a backup. */
export const listsIn = (backup: string): string => join(backup, 'lists', latestOf(backup));

/** What SHA256SUMS says, by its lines. */
export function sumsOf(lines: readonly string[]): string {
  const text = lines.map((line) => `${line}\n`).join('');
  return `${text}# ${createHash('sha256').update(text).digest('hex')}\n`;
}

/** Changes a file of the latest lists, as somebody does who knows how its digest is kept. */
export function rewrite(backup: string, file: string, text: string): void {
  const [path, sums] = [join(listsIn(backup), file), join(listsIn(backup), 'SHA256SUMS')];
  const had = createHash('sha256').update(readFileSync(path)).digest('hex');
  writeFileSync(path, text);
  const lines = readFileSync(sums, 'utf8').replace(had, createHash('sha256').update(text).digest('hex')).split('\n').slice(0, -2);
  writeFileSync(sums, sumsOf(lines));
}

/** The policy of a backup, without what differs between filters that are the same: ids, and seconds until they end. */
export function policyOf(backup: string, file = 'policy.yml'): string {
  return readFileSync(join(listsIn(backup), file), 'utf8')
    .replaceAll(/^ *id: .*\n/gm, '')
    .replaceAll(/(expires: "\d{4}-\d\d-\d\d)T.*"/g, '$1"');
}

/** What an account has now, as a backup says it. */
export async function listsOf({run: own}: Pick<Place, 'run'>): Promise<string> {
  const to = newBackup();
  const {status, stderr} = await own('backup', '--to', to, '--no-messages');
  if (status !== 0) throw new Error(stderr);
  return policyOf(to);
}
