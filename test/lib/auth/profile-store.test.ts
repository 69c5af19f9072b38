import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {inspect} from 'node:util';
import {beforeEach, describe, expect, test} from 'vitest';
import {Failure} from '../../../src/lib/client/failure.js';
import {ProfileStore} from '../../../src/lib/auth/profile-store.js';
import {ana, named} from './ana.js';
import {newFolder} from '../../new-folder.js';
import {failureOf} from '../../failure-of.js';

let home: string;
let folder: string;
let store: ProfileStore;
beforeEach(() => {
  home = newFolder();
  folder = join(home, 'config');
  store = new ProfileStore(folder, {storage: 'file'});
});

const profilesFile = (): string => join(folder, 'profiles.json');
const secretsFile = (): string => join(folder, 'secrets.json');
const read = (path: string): string => readFileSync(path, 'utf8');
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('profiles', () => {
  test('profiles are empty at first, and reading creates no file', async () => {
    expect(await store.list()).toEqual({active: null, profiles: []});
    expect(readdirSync(home)).toEqual([]);
  });

  test('a saved profile is active and has its secret', async () => {
    const profile = {...ana, storage: 'file'};
    expect(await store.save(ana, {accessToken: 'A', refreshToken: 'R', clientSecret: 'C'})).toEqual({profile});
    expect(await store.list()).toEqual({active: ana.name, profiles: [profile]});
    expect(await store.get(ana.name)).toEqual(profile);
    expect((await store.current(ana.name)).secret).toEqual({accessToken: 'A', refreshToken: 'R', clientSecret: 'C'});
  });

  test("an admin's profile does not become active by itself, but can be activated", async () => {
    const admins = {...named('a+admin'), isAdmin: true};
    await store.save(admins, {accessToken: 'A'});
    expect((await store.list()).active).toBeNull();
    await store.save(named('a'), {accessToken: 'B'});
    await store.save(admins, {accessToken: 'C'});
    expect((await store.list()).active).toBe('a');
    expect(await store.get('a+admin')).toMatchObject({isAdmin: true});
    expect(await store.remove('a')).toEqual({active: null, notes: ['No profile is active.']});
    await store.activate('a+admin');
    expect((await store.list()).active).toBe('a+admin');
  });

  test.each<[string, (name: string) => Promise<unknown>]>([
    ['get', (name) => store.get(name)],
    ['current', (name) => store.current(name)],
    ['remove', (name) => store.remove(name)],
    ['activate', (name) => store.activate(name)],
    ['replaceSecret', (name) => store.replaceSecret(name, (secret) => Promise.resolve({secret}))],
  ])('%s of one that is not there is a wrong use, and names those that are', async (_, work) => {
    expect(await failureOf(work('zoe'))).toMatchObject({code: 'usage', details: {hint: 'sign in with `pixelctl auth login`'}});
    await store.save(named('a'), {accessToken: 'A'});
    await store.save(named('b'), {accessToken: 'B'});
    expect(await failureOf(work('zoe'))).toMatchObject({message: 'No profile named zoe', details: {hint: 'profiles: a, b'}});
  });
});

describe('replacing a secret', () => {
  beforeEach(async () => void (await store.save(ana, {accessToken: 'old', refreshToken: 'R'})));

  test('stores the new secret and the changes of the profile, and removes the old secret', async () => {
    const expiresAt = '2028-01-01T00:00:00.000Z';
    const answer = await store.replaceSecret(ana.name, async (old, profile) => {
      expect(profile).toEqual({...ana, storage: 'file'});
      return {secret: {...old, accessToken: 'new'}, profile: {expiresAt}};
    });
    expect(answer).toEqual({profile: {...ana, storage: 'file', expiresAt}, secret: {accessToken: 'new', refreshToken: 'R'}});
    expect((await store.current(ana.name)).secret).toEqual({accessToken: 'new', refreshToken: 'R'});
    expect(await store.get(ana.name)).toMatchObject({expiresAt});
    expect(read(secretsFile())).not.toContain('"old"');
  });

  test('keeps the old secret when the change fails', async () => {
    const failure = new Failure('unavailable', 'No answer');
    expect(await failureOf(store.replaceSecret(ana.name, () => Promise.reject(failure)))).toBe(failure);
    expect((await store.current(ana.name)).secret).toEqual({accessToken: 'old', refreshToken: 'R'});
    await store.activate(ana.name);
    expect(JSON.parse(read(profilesFile()))).toMatchObject({retired: []});
  });

  test('replacing a secret happens once for two callers at the same time', async () => {
    let renewals = 0;
    const renew = () =>
      store.replaceSecret(ana.name, async (secret) => {
        if (secret.accessToken !== 'old') return {secret};
        renewals += 1;
        return {secret: {accessToken: 'new'}};
      });
    const answers = await Promise.all([renew(), renew()]);
    expect(answers.map(({secret}) => secret)).toEqual([{accessToken: 'new'}, {accessToken: 'new'}]);
    expect(renewals).toBe(1);
  });
});

describe('the files', () => {
  test.each([
    ['000', 0o000],
    ['022', 0o022],
    ['777', 0o777],
  ])('the files are readable only by their owner under umask %s', async (_, umask) => {
    const before = process.umask(umask);
    try {
      await store.save(ana, {accessToken: 'A'});
    } finally {
      process.umask(before);
    }
    expect([folder, profilesFile(), secretsFile()].map(modeOf)).toEqual(['700', '600', '600']);
    expect(readdirSync(folder).sort()).toEqual(['profiles.json', 'secrets.json']);
  });

  test('the files have secrets only in secrets.json', async () => {
    await store.save(ana, {accessToken: 'canary-1', refreshToken: 'canary-2', clientSecret: 'canary-3'});
    expect(read(profilesFile())).not.toContain('canary');
    expect(read(secretsFile()).match(/canary-\d/g)).toEqual(['canary-1', 'canary-2', 'canary-3']);
  });

  test('the files keep unknown fields of a later version', async () => {
    await store.save(named('a'), {accessToken: 'A'});
    const profiles = JSON.parse(read(profilesFile()));
    const [profile] = profiles.profiles;
    const later = {...profile, colour: 'red'};
    writeFileSync(profilesFile(), `${JSON.stringify({...profiles, profiles: [later]}).slice(0, -1)}, "big": 12345678901234567890}`);
    writeFileSync(secretsFile(), JSON.stringify({...JSON.parse(read(secretsFile())), sealed: true}));
    await store.replaceSecret('a', async (secret) => ({secret, profile: {expiresAt: '2027-01-01T00:00:00.000Z'}}));
    await store.save(named('b'), {accessToken: 'B'});
    expect(JSON.parse(read(profilesFile())).profiles[0]).toEqual({
      ...later,
      key: expect.any(String),
      expiresAt: '2027-01-01T00:00:00.000Z',
    });
    expect(read(profilesFile())).toContain('12345678901234567890');
    expect(JSON.parse(read(secretsFile()))).toMatchObject({sealed: true});
  });

  test('the files can be symbolic links, which are kept', async () => {
    await store.save(named('a'), {accessToken: 'A'});
    const elsewhere = join(home, 'dotfiles');
    mkdirSync(elsewhere, {mode: 0o700});
    writeFileSync(join(elsewhere, 'profiles.json'), read(profilesFile()), {mode: 0o600});
    rmSync(profilesFile());
    symlinkSync('../dotfiles/profiles.json', profilesFile());
    await store.save(named('b'), {accessToken: 'B'});
    expect(realpathSync(profilesFile())).toBe(join(elsewhere, 'profiles.json'));
    expect((await store.list()).profiles.map(({name}) => name)).toEqual(['a', 'b']);
  });

  test.skipIf(process.platform === 'win32')('the files are refused when others can read them, with the command that mends it', async () => {
    await store.save(ana, {accessToken: 'A'});
    chmodSync(secretsFile(), 0o640);
    expect(await failureOf(store.current(ana.name))).toMatchObject({code: 'local', details: {hint: `run \`chmod 600 ${secretsFile()}\``}});
    chmodSync(secretsFile(), 0o600);
    chmodSync(profilesFile(), 0o606);
    const refusal = {code: 'local', details: {hint: `run \`chmod 600 ${profilesFile()}\``}};
    expect(await failureOf(store.list())).toMatchObject(refusal);
    expect(await failureOf(store.save(ana, {accessToken: 'B'}))).toMatchObject(refusal);
  });

  test.skipIf(process.platform === 'win32')('the files are put into a folder that is closed to others', async () => {
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    expect(await store.list()).toEqual({active: null, profiles: []});
    await store.save(ana, {accessToken: 'A'});
    expect((statSync(folder).mode & 0o777).toString(8)).toBe('700');
  });

  test.skipIf(process.platform === 'win32')('the files are not put into a folder that everybody can replace', async () => {
    const above = join(folder, '..');
    chmodSync(above, 0o777);
    const refusal = {code: 'local', details: {hint: `run \`chmod o-w ${realpathSync(above)}\``}};
    expect(await failureOf(store.save(ana, {accessToken: 'A'}))).toMatchObject(refusal);
    expect(existsSync(folder)).toBe(false);
  });

  test('fails with "auth" when the secret is missing', async () => {
    await store.save(ana, {accessToken: 'A'});
    rmSync(secretsFile());
    const failure = await failureOf(store.current(ana.name));
    expect(failure).toMatchObject({code: 'auth', details: {reason: 'no_token'}});
    expect(failure instanceof Failure && failure.details.hint).toContain('`pixelctl auth login --profile=ana@pix.example`');
  });
});

const garbage = [
  '',
  '{',
  '[]',
  'null',
  '{"canary": 1',
  'canary',
  '{"secrets": [{"key": "canary", "canary": 1}], "profiles": [{"name": "canary/"}]}',
  '\0',
];

test.each(garbage)('corrupt files with %j are reported without their content, and not changed', async (text) => {
  await store.save(ana, {accessToken: 'A'});
  const profiles = read(profilesFile());
  for (const file of [profilesFile(), secretsFile()]) {
    writeFileSync(file, text);
    const works: (() => Promise<unknown>)[] = [
      () => store.current(ana.name),
      () => store.replaceSecret(ana.name, (secret) => Promise.resolve({secret})),
      () => store.prepare(),
    ];
    if (file === profilesFile())
      works.push(
        () => store.list(),
        () => store.activate(ana.name),
        () => store.remove(ana.name),
        () => store.save(ana, {accessToken: 'B'}),
      );
    for (const work of works) {
      const failure = await failureOf(work());
      expect(failure).toMatchObject({code: 'local', details: {hint: expect.stringContaining('auth login')}});
      expect(failure.message).toContain(`${file} is corrupt`);
      expect(inspect(failure, {depth: null})).not.toContain('canary');
    }
    expect(read(file)).toBe(text);
    writeFileSync(profilesFile(), profiles);
  }
});
