import {mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {ProfileStore} from '../../src/lib/auth/profile-store.js';
import {builtModule, canMount, runChild, runOnDisk, startChild} from './child-process.js';
import {someInTurn} from '../contract/sample.js';
import {killer, killsAt} from './killer.js';
import {ana, named} from '../lib/auth/ana.js';

let home: string;
let folder: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'pixelctl-crash-')));
  folder = join(home, 'config');
});
afterEach(() => rmSync(home, {recursive: true, force: true}));

const opened = (path: string): string => `
  import {ProfileStore} from '${builtModule('auth/profile-store.js')}';
  const store = new ProfileStore(${JSON.stringify(path)}, {storage: 'file'});
  const ana = ${JSON.stringify(ana)};`;

/** Every profile with its token; each is made for the server that its profile names. */
async function tokens(): Promise<Record<string, string>> {
  const store = new ProfileStore(folder, {storage: 'file'});
  const {profiles} = await store.list();
  const found: Record<string, string> = {};
  for (const {name, server} of profiles) {
    const {accessToken} = (await store.current(name)).secret;
    expect(accessToken).toMatch(new RegExp(`^token for ${server} `));
    found[name] = accessToken;
  }
  return found;
}

test('after a kill at any moment the store can be read, and each profile has the secret of its server', async () => {
  const program = `${opened(folder)}
    for (let turn = 0; ; turn += 1) {
      const name = 'profile-' + (turn % 3);
      const server = 'https://' + turn + '.example';
      if (turn % 7 === 6) await store.remove(name).catch(() => {});
      else await store.save({...ana, name, server}, {accessToken: 'token for ' + server + ' '});
      process.stdout.write('.');
    }`;
  let turns = 0;
  for (const write of someInTurn(killsAt(100), 3)) {
    turns += (await runChild(`${killer(write, '')}${program}`)).length;
    await tokens();
  }
  expect(turns).toBeGreaterThan(4);
  await new ProfileStore(folder, {storage: 'file'}).save(ana, {accessToken: 'token for https://pix.example '});
  const left = Object.values(await tokens());
  const kept = readFileSync(join(folder, 'secrets.json'), 'utf8').match(/token for [^"]*/g) ?? [];
  expect(kept.toSorted()).toEqual(left.toSorted());
});

test('of several who save at once nobody loses anything', async () => {
  const [count, each] = [5, 6];
  const writers = Array.from({length: count}, (_, writer) =>
    runChild(`${opened(folder)}
      for (let turn = 0; turn < ${each}; turn += 1) {
        const name = 'profile-${writer}-' + turn;
        await store.save({...ana, name}, {accessToken: 'token for https://pix.example ' + name});
        if (turn % 2) await store.activate(name);
      }
      process.stdout.write('done');`),
  );
  expect(await Promise.all(writers)).toEqual(Array.from({length: count}, () => 'done'));
  const found = await tokens();
  expect(Object.keys(found)).toHaveLength(count * each);
  for (const [name, token] of Object.entries(found)) expect(token).toBe(`token for https://pix.example ${name}`);
  expect(readdirSync(folder).sort()).toEqual(['profiles.json', 'secrets.json']);
});

test('a reader never sees a profile without its secret, while that is replaced over and over', async () => {
  const store = new ProfileStore(folder, {storage: 'file'});
  await store.save(named('a'), {accessToken: 'token-0'});
  const writer = startChild(`${opened(folder)}
    for (let turn = 0; ; turn += 1) await store.replaceSecret('a', async () => ({secret: {accessToken: 'token-' + turn}}));`);
  const seen = new Set<string>();
  while (seen.size < 20) seen.add((await store.current('a')).secret.accessToken);
  writer.process.kill('SIGKILL');
  await writer.output;
});

/** Tells what a failure says, and what the store holds afterwards. */
const tell = `
  const tell = async (work) => {
    const failure = await work.then(() => ({}), ({code, message, details}) => ({code, message, hint: details.hint}));
    const {active, profiles} = await store.list();
    const secrets = await Promise.all(profiles.map(async ({name}) => (await store.current(name)).secret));
    process.stdout.write(JSON.stringify({...failure, active, names: profiles.map(({name}) => name), secrets}));
  };`;

test('on a full disk a sign-in fails, and the one before stays', async ({skip}) => {
  if (!canMount) skip('a disk of its own cannot be mounted here');
  const output = await runOnDisk(
    home,
    '64k',
    `${opened(folder)}${tell}
    import {writeFileSync} from 'node:fs';
    await store.save({...ana, name: 'a'}, {accessToken: 'A'});
    try { writeFileSync(${JSON.stringify(join(home, 'ballast'))}, 'x'.repeat(1_000_000)); } catch {}
    await tell(store.save({...ana, name: 'b'}, {accessToken: 'canary'}));`,
  );
  expect(JSON.parse(output)).toEqual({
    code: 'local',
    message: `Cannot use the profiles in ${folder}: the disk is full`,
    hint: 'set PIXELCTL_CONFIG_DIR to use another folder',
    active: 'a',
    names: ['a'],
    secrets: [{accessToken: 'A'}],
  });
});

test('on a read-only disk profiles can be read, and a change says why not', async ({skip}) => {
  if (!canMount) skip('a disk of its own cannot be mounted here');
  const output = await runOnDisk(
    home,
    '1m',
    `${opened(folder)}${tell}
    import {execFileSync} from 'node:child_process';
    await store.save({...ana, name: 'a'}, {accessToken: 'A'});
    execFileSync('mount', ['-o', 'remount,bind,ro', ${JSON.stringify(home)}]);
    let isAsked = false;
    await tell(store.replaceSecret('a', async (secret) => { isAsked = true; return {secret}; }));
    process.stdout.write(String(isAsked));`,
  );
  expect(output).toMatch(/false$/);
  expect(JSON.parse(output.replace(/false$/, ''))).toMatchObject({
    code: 'local',
    message: `Cannot use the profiles in ${folder}: the disk is read-only`,
    names: ['a'],
    secrets: [{accessToken: 'A'}],
  });
});
