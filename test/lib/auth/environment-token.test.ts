/** The access token of the environment: which variable holds it, and what is refused without being repeated. */
import {rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {checkedToken, definesProfiles, environmentToken, tokenVariable, tokenVariableOf} from '../../../src/lib/auth/environment.js';
import {newFolder} from '../../new-folder.js';

test.each([
  [{}, undefined],
  [{PIXELCTL_TOKEN: ' '}, undefined],
  [{PIXELCTL_TOKEN: 't'}, 'PIXELCTL_TOKEN'],
  [{PIXELCTL_TOKEN_FILE: 'f'}, 'PIXELCTL_TOKEN_FILE'],
  [{PIXELCTL_TOKEN: '', PIXELCTL_TOKEN_FILE: 'f'}, 'PIXELCTL_TOKEN_FILE'],
  [{PIXELCTL_TOKEN: 't', PIXELCTL_TOKEN_FILE: 'f'}, 'PIXELCTL_TOKEN'],
])('of %j, the token is in %s', (environment, name) => {
  expect(tokenVariable(environment)).toBe(name);
});

test('the environment defines profiles where their variable is not empty', () => {
  expect([{}, {PIXELCTL_PROFILES: ' '}, {PIXELCTL_PROFILES: 'a'}].map(definesProfiles)).toEqual([false, false, true]);
});

test('the variables of a profile end in its name, in letters that variables have', () => {
  expect(tokenVariableOf('my-site.a_1')).toBe('PIXELCTL_TOKEN_MY_SITE_A_1');
});

test('a token is read without white space around it, from a variable or a file', async () => {
  const file = join(newFolder(), 'token');
  writeFileSync(file, ' in-file\n');
  expect(await environmentToken({})).toBeUndefined();
  expect(await environmentToken({PIXELCTL_TOKEN: ' t\n'})).toBe('t');
  expect(await environmentToken({PIXELCTL_TOKEN_FILE: file})).toBe('in-file');
  writeFileSync(file, '\n');
  expect(await environmentToken({PIXELCTL_TOKEN_FILE: file})).toBeUndefined();
  writeFileSync(file, 'two lines\nof-secrets');
  await expect(environmentToken({PIXELCTL_TOKEN_FILE: file})).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringMatching(`^The file ${file}(?!.*secrets)`),
  });
  rmSync(file);
  await expect(environmentToken({PIXELCTL_TOKEN_FILE: file})).rejects.toMatchObject({
    code: 'local',
    message: expect.stringContaining(`the file of PIXELCTL_TOKEN_FILE (${file})`),
  });
});

test.each(['se cret', 'two words', 'tök', 'a\nb', 'a\u0000b', '{"access_token": "abc"}'])(
  'a token is one word of plain signs: %j is refused by its source alone',
  (text) => {
    const refused = {code: 'usage', message: expect.stringMatching(/^PIXELCTL_TOKEN(?!.*cret)/)};
    expect(() => checkedToken(text, 'PIXELCTL_TOKEN')).toThrow(expect.objectContaining(refused));
    expect(() => checkedToken(text, 'PIXELCTL_TOKEN')).toThrow(expect.objectContaining({message: expect.not.stringContaining(text)}));
  },
);
