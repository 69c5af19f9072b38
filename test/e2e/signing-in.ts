/** Machines on which people sign in, and browsers that they sign in with. */
import {chmodSync, existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Profile, Secret} from '../../src/lib/auth/profile.js';
import {ProfileStore} from '../../src/lib/auth/profile-store.js';
import {decideOn, type Choice} from '../lib/sandbox/approving.js';
import {fileThere} from '../events.js';
import {begin, run, type Begun, type Setting} from './in-process.js';
import {newFolder, start, type Circumstances, type Ended, type Running} from './program.js';

/** Somebody's machine, whose secrets are in a file. */
export interface Machine {
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  /** What is kept there, to put things there and to look. */
  readonly store: ProfileStore;
  readonly secretsFile: string;
  /** Whether anything was kept. */
  readonly isSignedIn: () => boolean;
  /** What its browser had in its environment. */
  readonly browserEnvironment: () => string;
  readonly run: (args: readonly string[], setting?: Setting) => Promise<Ended>;
  readonly begin: (args: readonly string[], setting?: Setting) => Begun;
  readonly start: (args: readonly string[], circumstances?: Circumstances) => Running;
  /** The address that its browser was told to open. */
  readonly opened: () => Promise<string>;
}

export function machine(): Machine {
  const home = newFolder();
  const folder = join(home, 'profiles');
  const opened = join(home, 'opened');
  const browser = join(home, 'browser');
  writeFileSync(browser, `#!/bin/sh\nenv > '${home}/environment'\nprintf %s "$1" > '${opened}.part' && mv '${opened}.part' '${opened}'\n`);
  chmodSync(browser, 0o755);
  const env = {HOME: home, PIXELCTL_CONFIG_DIR: folder, PIXELCTL_STORAGE: 'file', BROWSER: browser};
  const around = (setting: Setting = {}): Setting => ({...setting, env: {...env, ...setting.env}});
  return {
    env,
    folder,
    browserEnvironment: () => readFileSync(join(home, 'environment'), 'utf8'),
    store: new ProfileStore(folder, {storage: 'file'}),
    secretsFile: join(folder, 'secrets.json'),
    isSignedIn() {
      const textOf = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '{}');
      const {profiles = []} = JSON.parse(textOf('profiles.json'));
      return profiles.length > 0 || /"(accessToken|refreshToken)"/.test(textOf('secrets.json'));
    },
    run: (args, setting) => run(args, around(setting)),
    begin: (args, setting) => begin(args, around(setting)),
    start: (args, circumstances) => start(args, around(circumstances)),
    opened: () => fileThere(opened),
  };
}

/** A profile as it comes from a sign-in in the browser; its account is ana unless that is said. */
export function profileOn(server: string, own: Partial<Omit<Profile, 'storage'>> = {}): Omit<Profile, 'storage'> {
  return {
    name: 'ana',
    server,
    account: {id: '1', acct: own.name ?? 'ana'},
    scopes: ['read', 'write', 'push'],
    expiresAt: null,
    isProtected: false,
    isAdmin: false,
    client: null,
    ...own,
  };
}

/** A machine with these profiles, of which the last one is active. */
export async function machineWith(...profiles: readonly (readonly [Omit<Profile, 'storage'>, Secret])[]): Promise<Machine> {
  const made = machine();
  for (const [profile, secret] of profiles) await made.store.save(profile, secret);
  return made;
}

/** A machine with the profiles ana and bob of one server, whose tokens are their names. */
export const anaAndBobOn = ({url}: {readonly url: string}): Promise<Machine> =>
  machineWith(
    ...(['ana', 'bob'] as const).map(
      (name, at) => [profileOn(url, {name, account: {id: `90${at + 1}`, acct: name}}), {accessToken: name}] as const,
    ),
  );

/** Decides in the browser, and goes where that leads. */
export async function browse(url: string, choice: Choice, change: (target: URL) => void = () => {}): Promise<Response> {
  const decided = await decideOn(url, choice);
  const target = new URL(decided.headers.get('location') ?? '');
  change(target);
  return fetch(target);
}

/** The text that the browser shows in the end where there is no way back. */
export const shownAfter = async (url: string, choice: Choice): Promise<string> => (await decideOn(url, choice)).text();

/** The address that has to be opened, as it is printed. */
export async function printedAddress({seen}: Pick<Running, 'seen'>): Promise<string> {
  const said = await seen(/^ {2}http\S+\r?$/m);
  return /^ {2}(http\S+)\r?$/m.exec(said)?.[1] ?? '';
}
