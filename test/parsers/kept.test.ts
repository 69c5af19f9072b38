/** Files that the program keeps for itself, and that anybody may have changed since. */
import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect} from 'vitest';
import {environmentProfiles} from '../../src/lib/auth/environment.js';
import {ProfileStore} from '../../src/lib/auth/profile-store.js';
import {readKeptChanges} from '../../src/lib/cli/endpoint/kept-changes.js';
import {acquireLock, LockHeld} from '../../src/lib/files/lock.js';
import {restoration, userRestoration} from '../../src/lib/operations/users.js';
import {Journal} from '../../src/lib/run/journal.js';
import {newFolder} from '../e2e/program.js';
import {MemoryKeyring} from '../lib/auth/memory-keyring.js';
import {describeParsers, keptInput} from './behaviour.js';

const server = 'https://pix.example';
const folder = newFolder();

function written(name: string, content: Buffer | string): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), {recursive: true, mode: 0o700});
  writeFileSync(path, content, {mode: 0o600});
  return path;
}

async function useStore(profiles: Buffer | string, secrets: Buffer | string): Promise<void> {
  written('config/profiles.json', profiles);
  written('config/secrets.json', secrets);
  const store = new ProfileStore(join(folder, 'config'), {storage: 'file', keyring: new MemoryKeyring()});
  for (const {name} of (await store.list()).profiles) await store.get(name);
  for (const {name} of (await store.list()).profiles) await store.current(name);
}

/** Lines are variables. */
async function parseVariables(bytes: Buffer): Promise<void> {
  const lines = bytes.toString().replaceAll('\0', '').split('\n');
  const pairs = lines.flatMap((line) => [/^([^=]+)=(.*)$/s.exec(line) ?? []]).map(([, name = '', value = '']) => [name, value]);
  await environmentProfiles(Object.fromEntries(pairs))?.list();
}

const identity = JSON.parse(keptInput('journal', 'identity.json'));

async function parseJournal(bytes: Buffer): Promise<void> {
  const path = written('journal', bytes);
  await using journal = await Journal.open(path, identity, {redact: (text) => text});
  for (const index of [0, 1, 2]) expect((await journal.pastEnding(index)).kind).toBeDefined();
}

/** Whatever a record says, only flags that it set are set back. */
async function parseChanges(bytes: Buffer): Promise<void> {
  const restores = userRestoration.finding?.restores;
  if (restores === undefined) throw new Error('Nothing is restored');
  const kept = await readKeptChanges(written('changes.ndjson', bytes), restores, server, () => {});
  for (const {value, profile} of kept.targets.targets) {
    const open = kept.openOf({id: value, name: value, saved: {}, accountId: profile});
    const {wanted, left} = restoration(open, {unlisted: true, cw: false, no_autolink: true});
    expect(Object.keys(wanted).filter((flag) => left.some((one) => one === flag))).toEqual([]);
  }
}

describeParsers({
  profiles: {
    parse: (bytes) => useStore(bytes, keptInput('secrets', 'secrets.json')),
    words: ['"active":', '"profiles":', 'ana', 'keyring', 'file', '"key":', '2040-01-01T00:00:00.000Z'],
  },
  secrets: {
    parse: (bytes) => useStore(keptInput('profiles', 'profiles.json'), bytes),
    words: ['"accessToken":', '"clientSecret":', 'constructor'],
  },
  'environment-profiles': {
    parse: parseVariables,
    words: ['PIXELCTL_PROFILES=', 'PIXELCTL_SERVER_', 'PIXELCTL_TOKEN_', 'FILE', '__PROTO__', 'a.b', 'a-b'],
  },
  lock: {
    parse: async (bytes) => (await acquireLock(written('some.lock', bytes), {patience: 0}))[Symbol.dispose](),
    isOwn: (error) => error instanceof LockHeld,
    words: ['"pid":', '"host":', '"since":', '4194304', '1.5'],
  },
  journal: {
    parse: parseJournal,
    words: ['{"n":0,"outcome":"unsent"}', '{"n":1,"intent":"a"}', '"outcome":"done"', '"error":', '"pixelctl_journal":1'],
  },
  changes: {
    parse: parseChanges,
    words: ['"action":"update"', '"action":"restore"', '"moderation":', '"set":{"cw":true}', '"profile_id":', '{"time":"'],
  },
});
