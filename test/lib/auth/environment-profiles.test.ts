import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {environmentProfiles, environmentProfileToken} from '../../../src/lib/auth/environment.js';
import {jwt} from './jwt.js';

type Environment = Readonly<Record<string, string>>;

const suffix = (name: string) => name.toUpperCase().replaceAll('-', '_').replaceAll('.', '_');

/** The variables of profiles, each with a server and a token of its own. */
const variablesFor = (names: readonly string[]): Environment =>
  Object.fromEntries([
    ['PIXELCTL_PROFILES', names.join(',')],
    ...names.flatMap((name, index) => [
      [`PIXELCTL_SERVER_${suffix(name)}`, `${index}.pix.example`],
      [`PIXELCTL_TOKEN_${suffix(name)}`, `secret-${index}`],
    ]),
  ]);

const pair = variablesFor(['alpha', 'beta']);
const name = fc.stringMatching(/^[A-Za-z0-9._-]{1,20}$/);
const isReserved = (each: string) => suffix(each) === 'FILE';

describe('profiles of the environment', () => {
  test('names that differ in their variables are profiles, each with its own server and token', async () => {
    const names = fc.uniqueArray(
      name.filter((each) => !isReserved(each)),
      {minLength: 1, maxLength: 6, selector: suffix},
    );
    await fc.assert(
      fc.asyncProperty(names, async (given) => {
        const environment = variablesFor(given);
        const {active, profiles} = (await environmentProfiles(environment)?.list()) ?? {active: null, profiles: []};
        expect(profiles.map((profile) => [profile.name, profile.server, environmentProfileToken(profile, environment)])).toEqual(
          given.map((each, index) => [each, `https://${index}.pix.example`, `secret-${index}`]),
        );
        expect(active).toBe(given.length === 1 ? given[0] : null);
        for (const each of given) expect((await environmentProfiles(environment)?.get(each))?.name).toBe(each);
      }),
    );
  });

  const signs = 'use up to 64 letters, digits and the characters . _ -, and separate names by commas; tokens have their own variables';

  test.each<[string, string, string?]>([
    ['a,a', 'PIXELCTL_PROFILES: a and a have the same variable, PIXELCTL_TOKEN_A', 'use different names'],
    ['a-b,a.b', 'PIXELCTL_PROFILES: a-b and a.b have the same variable, PIXELCTL_TOKEN_A_B', 'use different names'],
    ['ana,Ana', 'PIXELCTL_PROFILES: ana and Ana have the same variable, PIXELCTL_TOKEN_ANA', 'use different names'],
    ['file', 'PIXELCTL_PROFILES: file cannot be used, because PIXELCTL_TOKEN_FILE is a file with a token', 'choose another name'],
    ['alpha,File', 'PIXELCTL_PROFILES: File cannot be used, because PIXELCTL_TOKEN_FILE is a file with a token', 'choose another name'],
    ['ana@pix.example', 'PIXELCTL_PROFILES: number 1 is not a name'],
    ['ana bob', 'PIXELCTL_PROFILES: number 1 is not a name'],
    ['ana=canary-of-a-token', 'PIXELCTL_PROFILES: number 1 is not a name'],
    [`${'x'.repeat(64)},${'canary'.repeat(11)}`, 'PIXELCTL_PROFILES: number 2 is not a name'],
    ['ünal', 'PIXELCTL_PROFILES: number 1 is not a name'],
    ['$(id)', 'PIXELCTL_PROFILES: number 1 is not a name'],
    ['ana+', 'PIXELCTL_PROFILES: number 1 is not a name'],
    [' , ', 'PIXELCTL_PROFILES contains no name', 'for example: PIXELCTL_PROFILES=alpha,beta'],
  ])('the names in %j are refused, with what to use', (names, message, hint = signs) => {
    const values = {...pair, ...variablesFor(names.split(',')), PIXELCTL_PROFILES: names};
    const environment = Object.fromEntries(Object.entries(values).filter(([variable]) => variable !== 'PIXELCTL_TOKEN_FILE'));
    expect(() => environmentProfiles(environment)).toThrow(expect.objectContaining({code: 'usage', message, details: {hint}}));
  });

  test.each(['PIXELCTL_SERVER_ALPHA', 'PIXELCTL_TOKEN_ALPHA', 'PIXELCTL_SERVER_BETA', 'PIXELCTL_TOKEN_BETA'])(
    'a pair without %s is refused, and the variable named',
    (missing) => {
      const who = missing.endsWith('ALPHA') ? 'alpha' : 'beta';
      for (const value of [undefined, '', ' \n'])
        expect(() => environmentProfiles({...pair, [missing]: value})).toThrow(
          expect.objectContaining({
            code: 'usage',
            message: `${missing} is not set`,
            details: {hint: `PIXELCTL_PROFILES names ${who}, which needs a server and a token`},
          }),
        );
    },
  );

  test.each(['PIXELCTL_TOKEN', 'PIXELCTL_TOKEN_FILE', 'PIXELCTL_SERVER'])('%s cannot be set as well', (other) => {
    expect(() => environmentProfiles({...pair, [other]: 'secret-or-server'})).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: `PIXELCTL_PROFILES and ${other} cannot be used together`,
        details: {hint: 'unset one of them; with PIXELCTL_PROFILES, each profile has its own server and token'},
      }),
    );
    expect(environmentProfiles({...pair, [other]: ''})).toBeDefined();
  });

  test('white space around names, servers and tokens does not matter', async () => {
    const environment = {
      PIXELCTL_PROFILES: ' alpha ,\n',
      PIXELCTL_SERVER_ALPHA: ' https://pix.example/ ',
      PIXELCTL_TOKEN_ALPHA: ' secret\n',
    };
    const profile = await environmentProfiles(environment)?.get('alpha');
    expect(profile).toEqual({
      name: 'alpha',
      server: 'https://pix.example',
      account: null,
      scopes: null,
      expiresAt: null,
      storage: 'environment',
      isProtected: false,
      isAdmin: false,
      client: null,
    });
    expect(environmentProfileToken({name: 'alpha'}, environment)).toBe('secret');
  });

  const scopes = ['read', 'admin:read', 'admin:write'];
  test.each([
    ['the scopes of a token that is a JWT are known', {PIXELCTL_TOKEN_BETA: jwt({scopes})}, {scopes}],
    [
      'the end of a token that is a JWT is known',
      {PIXELCTL_TOKEN_BETA: jwt({exp: 1_794_536_000})},
      {expiresAt: '2026-11-13T02:13:20.000Z'},
    ],
    ['plain http is taken, because its use is decided later', {PIXELCTL_SERVER_BETA: 'http://pix.example'}, {server: 'http://pix.example'}],
  ])('of a profile in the environment, %s', async (_, variables, known) => {
    const profiles = environmentProfiles({...pair, ...variables});
    expect(await profiles?.get('beta')).toMatchObject(known);
    expect(await profiles?.get('alpha')).toMatchObject({scopes: null, expiresAt: null});
  });

  test('without the variable, or with an empty one, the environment defines none', () => {
    for (const PIXELCTL_PROFILES of [undefined, '', ' '])
      expect(environmentProfiles({PIXELCTL_PROFILES, PIXELCTL_TOKEN_ALPHA: 'x'})).toBeUndefined();
  });
});
