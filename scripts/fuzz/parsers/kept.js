/** Files that the program keeps for itself, and that anybody may have changed since. */
import {open} from 'node:fs/promises';
import {join} from 'node:path';
import {createHash} from 'node:crypto';
import {environmentProfiles} from '../../../dist/lib/auth/environment-profiles.js';
import {ProfileStore} from '../../../dist/lib/auth/profile-store.js';
import {KeptChanges} from '../../../dist/lib/cli/endpoint/kept-changes.js';
import {acquireLock} from '../../../dist/lib/files/lock.js';
import {restoration, userRestoration} from '../../../dist/lib/operations/user-restoration.js';
import {KeptIds} from '../../../dist/lib/operations/kept-ids.js';
import {largeGroup, longMessage, manyAttachments, publishedLimits} from '../../../dist/lib/operations/limits.js';
import {readFollowed} from '../../../dist/lib/policy/followed.js';
import {Journal} from '../../../dist/lib/run/journal.js';
import {PastRun} from '../../../dist/lib/run/journal-file.js';
import {goodInput} from '../corpus.js';
import {ownFolder, written} from '../folder.js';
import {Wrong} from '../judge.js';

/** Of everything that is kept for some time. */
const now = Date.UTC(2027, 0, 1);
const server = 'https://pix.example';

const noKeyring = {read: async () => undefined, write: async () => {}, remove: async () => {}};

async function useStore() {
  const store = new ProfileStore(join(ownFolder(), 'config'), {storage: 'file', keyring: noKeyring});
  const {active, profiles} = await store.list();
  for (const {name} of profiles) await store.get(name);
  const ended = await Promise.allSettled(profiles.map(({name}) => store.current(name)));
  await store.client(server);
  const refused = ended.find(({status}) => status === 'rejected');
  if (refused !== undefined) throw refused.reason;
  return `${active === null} ${profiles.length}`;
}

async function parseProfiles(bytes) {
  written('config/secrets.json', goodInput('secrets', 'secrets.json'));
  written('config/profiles.json', bytes);
  return useStore();
}

async function parseSecrets(bytes) {
  written('config/profiles.json', goodInput('profiles', 'profiles.json'));
  written('config/secrets.json', bytes);
  return useStore();
}

/** Lines are variables. */
async function parseEnvironmentProfiles(bytes) {
  const lines = bytes
    .toString()
    .replaceAll('\0', '')
    .split('\n')
    .filter((line) => line.includes('='));
  const environment = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
  const known = environmentProfiles(environment);
  return known === undefined ? 'none' : `${(await known.list()).profiles.length}`;
}

/** Where nothing that is kept can be used. */
class Asked extends Error {
  name = 'Asked';
}

const noClient = () => {
  throw new Asked('the server is asked');
};

async function parseLimits(bytes) {
  written(`cache/pixelctl/limits-${encodeURIComponent(server)}.json`, bytes);
  const limits = await publishedLimits(server, noClient, join(ownFolder(), 'cache/pixelctl'), now);
  const said = [longMessage('x'.repeat(2000), limits), manyAttachments(9, limits), largeGroup(50, limits)].filter(
    (one) => one !== undefined,
  );
  if (/undefined|NaN|Infinity/.test(said.join())) throw new Wrong(said.join());
  return `${said.length}`;
}

async function parseKeptIds(bytes) {
  written(`cache/accounts-${encodeURIComponent(server)}.json`, bytes);
  const ids = new KeptIds(join(ownFolder(), 'cache'), server, () => now);
  const id = await ids.idOf('bob@pix.example');
  if (id !== undefined && /[\s,]/.test(id)) throw new Wrong(`the id ${id}`);
  return `${id === undefined} ${await ids.wasMissing('eve@pix.example')}`;
}

const askingClient = {call: noClient, send: noClient, host: 'pix.example'};

async function parseFollowed(bytes) {
  const name = digest(`${server} 7`).slice(0, 16);
  written(`cache/followed-${name}.json`, bytes);
  const folder = join(ownFolder(), 'cache');
  const {value} = await readFollowed({client: askingClient, server, id: '7', folder, now: new Date(now), oldest: 2 ** 50});
  for (const [domain, count] of value.counts)
    if (!Number.isSafeInteger(count) || count < 1 || domain.trim() === '') throw new Wrong(`${count} accounts on "${domain}"`);
  if (Number.isNaN(value.readAt.getTime())) throw new Wrong('no date');
  return `${value.counts.size}`;
}

const digest = (data) => createHash('sha256').update(data).digest('hex');

/** A lock that somebody else left. */
async function parseLock(bytes) {
  const path = written('some.lock', bytes);
  (await acquireLock(path, {patience: 0}))[Symbol.dispose]();
  return 'free';
}

const identity = JSON.parse(goodInput('journal', 'identity.json'));

async function parseJournal(bytes) {
  const path = written('journal', bytes);
  const results = [];
  for (const wanted of [identity, {...identity, targets: null}]) {
    const file = await open(path, 'r');
    try {
      const past = await PastRun.read(file, 'journal', wanted);
      results.push(`${past.isTorn} ${Math.min(past.names.length, 2)} ${[0, 1, 2].map((index) => past.of(index).state)}`);
    } catch (error) {
      results.push(error);
    } finally {
      await file.close();
    }
  }
  const failed = results.find((one) => one instanceof Error);
  if (results.every((one) => one instanceof Error)) throw failed;
  if (results[0] instanceof Error) return String(results);
  const journal = await Journal.open(path, identity, {redact: (text) => text});
  try {
    for (const index of [0, 1, 2]) {
      const {kind, failure} = await journal.pastEnding(index);
      if (kind === undefined || (failure?.code === 'internal' && !bytes.includes('internal')))
        throw new Wrong(`an ending of the kind ${kind}`);
    }
  } finally {
    await journal[Symbol.asyncDispose]();
  }
  return String(results);
}

const isHeld = (error) => error?.name === 'LockHeld';

/** Whatever a record says, only flags that it set are set back. */
async function parseChanges(bytes) {
  const kept = await KeptChanges.read(written('changes.ndjson', bytes), userRestoration.subjects.restores, server, () => {});
  const now = {unlisted: true, cw: false, no_autolink: true};
  const all = kept.targets.targets.map(({value}) => {
    const {wanted, left} = restoration(
      kept.openOf({id: value, name: value, kept: {}, accountId: kept.targets.origin.profiles.get(value)}),
      now,
    );
    if (Object.keys(wanted).some((flag) => left.includes(flag))) throw new Wrong('what is left is set back');
    return `${value} ${Object.keys(wanted)}`;
  });
  return `${kept.targets.mistakes.count} ${all}`;
}

/** @type {Record<string, import('./index.js').Parser>} */
export const parsers = {
  profiles: {
    parse: parseProfiles,
    shapes: ['json'],
    words: ['"active":', '"profiles":', 'ana', '../x', 'keyring', 'file', '"key":', '__proto__', '2040-01-01T00:00:00.000Z'],
  },
  secrets: {parse: parseSecrets, shapes: ['json'], words: ['"accessToken":', '"clientSecret":', '__proto__', 'constructor']},
  'environment-profiles': {
    parse: parseEnvironmentProfiles,
    shapes: ['lines'],
    words: ['PIXELCTL_PROFILES=', 'PIXELCTL_SERVER_', 'PIXELCTL_TOKEN_', 'FILE', ',', '__PROTO__', 'https://', 'a.b', 'a-b'],
  },
  limits: {parse: parseLimits, isOwn: (error) => error instanceof Asked, shapes: ['json'], words: ['"max_characters":', '"limits":', '0']},
  'kept-ids': {parse: parseKeptIds, shapes: ['json'], words: ['"accounts":', '"missing":', '"handle":', 'bob@pix.example', '..', 'a/b']},
  followed: {
    parse: parseFollowed,
    isOwn: (error) => error instanceof Asked,
    shapes: ['json'],
    words: ['"at":', '"owner":', '"servers":', '["bad.example",2]', '0', '-1', '1.5', '""', 'a.'],
  },
  lock: {parse: parseLock, isOwn: isHeld, shapes: ['json'], words: ['"pid":', '"host":', '"since":', '0', '-1', '4194304', '1.5']},
  journal: {
    parse: parseJournal,
    shapes: ['lines'],
    words: ['{"n":0,"outcome":"unsent"}', '{"n":1,"intent":"a"}', '"outcome":"done"', '"error":', '"pixelctl_journal":1'],
  },
  changes: {
    parse: parseChanges,
    shapes: ['lines'],
    words: ['"action":"update"', '"action":"restore"', '"moderation":', '"set":{"cw":true}', '"profile_id":', '"id":"260"', '{"time":"'],
  },
};
