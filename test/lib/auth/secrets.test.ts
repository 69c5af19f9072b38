/** Where secrets are kept: in the keyring if it works, else in a file, and what is said of one that does not. */
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeEach, describe, expect, test} from 'vitest';
import {KeyringUnavailable} from '../../../src/lib/auth/keyring.js';
import {secretFile, Secrets} from '../../../src/lib/auth/secrets.js';
import {asFailure} from '../../../src/lib/client/failure.js';
import {MemoryKeyring} from './memory-keyring.js';
import {newFolder} from '../../new-folder.js';

let path: string;

beforeEach(() => void (path = join(newFolder(), 'secrets.json')));

const inKeyring = (key = 'k') => ({key, storage: 'keyring'}) as const;
const inFile = (key = 'k') => ({key, storage: 'file'}) as const;
const secret = {accessToken: 'token'};
const inTheFile = () => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).secrets : []);

function made(failure?: Error): {readonly secrets: Secrets; readonly keyring: MemoryKeyring} {
  const keyring = new MemoryKeyring();
  keyring.failure = failure;
  return {secrets: new Secrets(path, keyring), keyring};
}

describe('a keyring that does not work', () => {
  const locked = new KeyringUnavailable('it is locked');
  const missing = new KeyringUnavailable('the package is not installed', 'run `npm install x`');
  const kinds: [KeyringUnavailable, string][] = [
    [locked, 'unlock it'],
    [missing, 'run `npm install x`'],
  ];

  test.each([
    [locked, ''],
    [missing, '. For the keyring, run `npm install x` and sign in again'],
  ])('a secret is kept in the file instead, with a note: %s', async (failure, more) => {
    const {secrets} = made(failure);
    expect(await secrets.keep(inKeyring(), secret, false)).toEqual({
      location: inFile(),
      note: `No keyring is available: the token is stored in ${path}, which only you can read${more}`,
    });
    expect(inTheFile()).toEqual([{key: 'k', secret}]);
  });

  test.each(kinds)('a secret is not kept where the keyring was asked for: %s', async (failure, what) => {
    const {secrets} = made(failure);
    await expect(secrets.keep(inKeyring(), secret, true)).rejects.toMatchObject({
      code: 'local',
      message: `The keyring cannot be used: ${failure.message}`,
      details: {hint: `${what}; or store the token in a file with --insecure-storage or PIXELCTL_STORAGE=file`},
    });
    expect(inTheFile()).toEqual([]);
  });

  test.each(kinds)('a secret that it holds cannot be read: %s', async (error, what) => {
    const {secrets} = made(error);
    const failure = await secrets.read(inKeyring()).then(() => expect.unreachable(), asFailure);
    expect(failure).toMatchObject({code: 'local', message: `The keyring that holds the token cannot be used: ${error.message}`});
    expect(failure.details.hint).toBe(
      `${what}; or sign in again with \`pixelctl auth login --insecure-storage\`, which stores the token in a file`,
    );
  });

  test('secrets that it holds are left, those of the file are removed, and it is asked once', async () => {
    const {secrets, keyring} = made(locked);
    await secretFile(path).write('a', secret);
    await secretFile(path).write('b', secret);
    expect(await secrets.removeAll([inKeyring('a'), inFile('b'), inKeyring('c')])).toEqual([inKeyring('a'), inKeyring('c')]);
    expect(inTheFile()).toEqual([]);
    expect(keyring.called).toEqual(['remove a']);
  });

  test('an error of another kind is passed on, and does not stop the removal of others', async () => {
    const error = new Error('A mistake');
    const {secrets, keyring} = made(error);
    await expect(secrets.read(inKeyring())).rejects.toBe(error);
    await expect(secrets.keep(inKeyring(), secret, false)).rejects.toBe(error);
    expect(await secrets.removeAll([inKeyring('a'), inKeyring('c')])).toEqual([inKeyring('a'), inKeyring('c')]);
    expect(keyring.called.slice(-2)).toEqual(['remove a', 'remove c']);
  });
});

test.each([
  ['x', 'it is not JSON'],
  ['[]', 'its content is invalid'],
  ['{"secrets":[{"key":"secret","secret":{}}]}', 'secrets.0.secret.accessToken is invalid'],
  ['{"secrets":[{"key":5,"secret":{"accessToken":"t"}}]}', 'secrets.0.key is invalid'],
])('a corrupt file of secrets is told without its content: %s', async (text, fault) => {
  writeFileSync(path, text, {mode: 0o600});
  await expect(made().secrets.checkFile()).rejects.toThrow(`${path} is corrupt: ${fault}`);
});
