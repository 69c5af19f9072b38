/** What is asked of the process that talks to the keyring of the system, and what its answers mean. */
import {chmodSync, existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {keyringProblem, KeyringUnavailable, systemKeyring} from '../../../src/lib/auth/keyring.js';
import {newFolder} from '../../new-folder.js';

/** In place of Node, which would run the helper: a program that writes down what it is given, and answers. */
function helperThat(answers: string, status = 0) {
  const folder = newFolder();
  const [program, asked, given] = [join(folder, 'program'), join(folder, 'asked'), join(folder, 'given')];
  writeFileSync(join(folder, 'answer'), answers);
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$@" > '${asked}'\ncat > '${given}'\ncat '${folder}/answer'\nexit ${status}\n`);
  chmodSync(program, 0o755);
  const {execPath} = process;
  process.execPath = program;
  onTestFinished(() => void (process.execPath = execPath));
  return {asked: () => readFileSync(asked, 'utf8').trimEnd().split('\n'), given: () => readFileSync(given, 'utf8')};
}

const failureOf = async (work: Promise<unknown>): Promise<KeyringUnavailable> => {
  const error = await work.catch((reason: unknown) => reason);
  if (error instanceof KeyringUnavailable) return error;
  throw error;
};

describe.skipIf(process.platform === 'win32')('the keyring of the system', () => {
  test('the keyring of the system is asked for a secret by the key', async () => {
    const secret = {accessToken: 'A', refreshToken: 'R', clientSecret: 'C'};
    const helper = helperThat(JSON.stringify({found: JSON.stringify(secret)}));
    expect(await systemKeyring.read('ana/1')).toEqual(secret);
    const [program = '', ...args] = helper.asked();
    expect(existsSync(program)).toBe(true);
    expect(program).toMatch(/keyring-process\.[jt]s$/);
    expect(args).toEqual(['read', 'pixelctl', 'ana/1']);
    expect(helper.given()).toBe('');
  });

  test('the keyring of the system may have no such secret', async () => {
    helperThat('{"found": null}');
    expect(await systemKeyring.read('ana/1')).toBeUndefined();
  });

  test.each([
    [
      'gets a secret where nobody else sees it',
      () => systemKeyring.write('ana/1', {accessToken: 'canary'}),
      'write ana/1',
      '{"accessToken":"canary"}',
    ],
    ['removes a secret', () => systemKeyring.remove('ana/1'), 'remove ana/1', ''],
    ['that works has no problem, and is asked for a key that nobody has', keyringProblem, 'read probe', ''],
  ])('the keyring of the system %s', async (_, work, asked, given) => {
    const helper = helperThat('{"found": null}');
    expect(await work()).toBeUndefined();
    const [, verb, service, key] = helper.asked();
    expect([`${verb} ${key}`, service, helper.given()]).toEqual([asked, 'pixelctl', given]);
  });

  test('the keyring of the system tells its problem itself', async () => {
    helperThat('{"problem": "it is locked"}');
    expect(await keyringProblem()).toBe('it is locked');
    for (const work of [() => systemKeyring.read('k'), () => systemKeyring.write('k', {accessToken: 'A'}), () => systemKeyring.remove('k')])
      expect(await failureOf(work())).toMatchObject({message: 'it is locked', installation: undefined});
  });

  test('the helper of the keyring may fail, and what it wrote is not repeated', async () => {
    helperThat('canary', 1);
    const failure = await failureOf(systemKeyring.read('k'));
    expect([failure.name, failure.message]).toEqual(['KeyringUnavailable', 'its helper process failed']);
    expect(failure.cause).toBeUndefined();
    expect(await keyringProblem()).toBe('its helper process failed');
  });

  test.each(['canary', '{"accessToken": ""}', '{"canary": 1}', 'null'])(
    'an entry of the keyring that is none of ours is told, but not what is in it: %j',
    async (entry) => {
      helperThat(JSON.stringify({found: entry}));
      const failure = await failureOf(systemKeyring.read('k'));
      expect([failure.message, failure.cause]).toEqual(['its entry is invalid', undefined]);
    },
  );

  test('an answer of another form is a mistake, and not a keyring that is missing', async () => {
    helperThat('{"other": 1}');
    await expect(keyringProblem()).rejects.not.toBeInstanceOf(KeyringUnavailable);
    await expect(systemKeyring.read('k')).rejects.not.toBeInstanceOf(KeyringUnavailable);
  });
});
