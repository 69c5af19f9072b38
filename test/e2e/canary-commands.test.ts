/** Every command, against servers that fail in every way and tell what they heard: no secret shows anywhere. */
import {cpSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {ProfileStore} from '../../src/lib/auth/profile-store.js';
import {canary, failures, filesWith, homeIn, telltale, type Telltale} from './canary.js';
import {commandIds, commandLine, hasFlag, namingFilesIn, writeFiles, type CommandLine} from './every-command.js';
import {run} from './in-process.js';
import {newFolder} from './program.js';
import {profileOn} from './signing-in.js';

const [access, refresh, client] = [canary(), canary(), canary()];
const secrets = [access, refresh, client];

/** The words of a command that come as far as possible. */
function known(id: string): CommandLine {
  const {args, stdin} = commandLine(id);
  const own = [...(hasFlag(id, 'journal') ? ['--journal', 'journal'] : []), '--retries', '0', '--timeout', '1', '--max-wait', '0'];
  const typed = id === 'auth:login' ? access.value : stdin;
  return {args: [...args, ...own], ...(typed !== undefined && {stdin: typed})};
}

type Form = readonly [flags: readonly string[], env: Readonly<Record<string, string>>];

/** All that can be told: for people, and for scripts. */
const forms: readonly Form[] = [
  [['-v'], {}],
  [['--json'], {PIXELCTL_DEBUG: '1'}],
];

const servers = new Map<string, Telltale>();
const homes = new Map<string, string>();

/** The homes that runs begin with: two profiles, of which the active one has a token that is about to end. */
beforeAll(async () => {
  for (const [name, reply] of Object.entries(failures)) {
    const server = await telltale(reply);
    const home = newFolder();
    const store = new ProfileStore(join(home, 'profiles'), {storage: 'file'});
    const expiresAt = new Date(Date.now() + 240_000).toISOString();
    const secret = {accessToken: access.value, refreshToken: refresh.value, clientSecret: client.value};
    for (const profile of ['bob', 'ana']) await store.save(profileOn(server.url, {name: profile, expiresAt, client: {id: '1'}}), secret);
    servers.set(name, server);
    homes.set(name, home);
  }
});
afterAll(async () => {
  for (const server of servers.values()) await server[Symbol.asyncDispose]();
  const heard = [...servers.values()].map((server) => server.heard()).join('');
  for (const secret of secrets) expect(secret.isIn(heard), 'a secret that no server received').toBe(true);
});

/** Runs a command in a home of its own, and looks for the secrets. */
async function expectSilence(failure: string, {args, stdin = ''}: CommandLine, [flags, env]: Form): Promise<void> {
  const [home, url] = [newFolder(), servers.get(failure)?.url ?? ''];
  cpSync(homes.get(failure) ?? '', home, {recursive: true});
  const folder = join(home, 'work');
  mkdirSync(folder);
  writeFiles(folder);
  const isLogin = args[1] === 'login';
  const circumstances = {env: {...homeIn(home), ...env, ...(isLogin && {PIXELCTL_SERVER: url})}, stdin};
  const words = namingFilesIn(folder, args).map((word) => (word === 'journal' ? join(folder, word) : word));
  const {stdout, stderr} = await run([...words, ...flags], circumstances);
  const what = `${failure}: ${args.join(' ')} ${flags.join(' ')}`;
  for (const secret of secrets) {
    // The one command that is for that.
    if (args.slice(0, 2).join(' ') !== 'auth token') expect(secret.isIn(stdout) ? stdout : '', what).toBe('');
    expect(secret.isIn(stderr) ? stderr : '', what).toBe('');
  }
  expect(filesWith(home, secrets), what).toEqual([join('profiles', 'secrets.json')]);
}

const names = Object.keys(failures);

describe('the token of a profile, with every command', () => {
  test.concurrent.each(commandIds.map((id, index) => ({id, index})))('$id', async ({id, index}) => {
    const command = known(id);
    // Each command meets some of the failures, and all of them meet all.
    for (const [at, form] of forms.entries()) await expectSilence(names[(index + at * 5) % names.length] ?? '', command, form);
    if (!hasFlag(id, 'dry-run')) return;
    await expectSilence(
      'silence',
      command,
      index % 2 === 0 ? [['--dry-run', '-o', 'curl', '-v'], {}] : [['--dry-run', '--json', '-v'], {}],
    );
  });
});

describe('the token of a profile, when the server fails with', () => {
  test.concurrent.each(names)('%s', async (failure) => {
    await expectSilence(failure, known('filters:update'), [['-v'], {}]);
    await expectSilence(failure, known('auth:refresh'), [['--json', '-v'], {}]);
  });
});
