import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {defaultName, isProfileName, plainProfile, type Profile} from '../../../src/lib/auth/profile.js';
import {ana} from './ana.js';

const inFile: Profile = {...ana, storage: 'file'};

test.each(['a', 'ana@pix.example', '_x', '@ana', '.', 'A-9', 'ana@pix.example+admin', '__proto__', 'x'.repeat(64)])(
  'a profile name can be %j',
  (name) => {
    expect(isProfileName(name)).toBe(true);
  },
);

test.each(['', ' ', 'a b', 'a/b', '-a', '+a', 'ä', 'a\n', 'a:1', 'x'.repeat(65)])('a profile name cannot be %j', (name) => {
  expect(isProfileName(name)).toBe(false);
});

describe('the default name of a profile', () => {
  const {server, account} = ana;
  const nameOf = (server: string, account: Profile['account'], profiles: readonly Profile[], isAdmin = false) =>
    defaultName({server, account, isAdmin}, profiles);

  test('the default name of a profile is made from account and host', () => {
    expect(nameOf(server, account, [])).toBe('ana@pix.example');
    expect(nameOf(server, {id: '1', acct: 'ana@pix.example'}, [])).toBe('ana@pix.example');
    expect(nameOf('http://localhost:8080', account, [])).toBe('ana@localhost-8080');
    expect(nameOf(server, null, [])).toBe('pix.example');
  });

  test('the default name of a profile is the name of the existing profile of the account', () => {
    expect(nameOf(server, account, [{...inFile, name: 'work'}])).toBe('work');
  });

  test('the default name of the profile of an admin is that of the account with +admin', () => {
    const admins = {...inFile, name: 'ana@pix.example+admin', isAdmin: true};
    expect(nameOf(server, account, [], true)).toBe('ana@pix.example+admin');
    expect(nameOf(server, account, [{...inFile, name: 'work'}], true)).toBe('ana@pix.example+admin');
    expect(nameOf(server, account, [{...admins, name: 'root'}], true)).toBe('root');
    expect(nameOf(server, account, [{...admins, name: 'root'}])).toBe('ana@pix.example');
    expect(nameOf(server, account, [{...admins, account: {id: '18', acct: 'ana'}}], true)).toBe('ana@pix.example+admin-2');
  });

  test('the default name of a profile has 64 characters at most, and ends in what tells it apart', () => {
    const long = {id: '1', acct: 'x'.repeat(80)};
    const full = 'x'.repeat(64);
    const names: string[] = [];
    for (const isAdmin of [false, false, true, true])
      names.push(
        nameOf(
          server,
          long,
          names.map((name) => ({...inFile, name, account: null})),
          isAdmin,
        ),
      );
    expect(names).toEqual([full, `${full.slice(2)}-2`, `${full.slice(6)}+admin`, `${full.slice(8)}+admin-2`]);
  });

  test('the default name of a profile has no signs that names cannot have', () => {
    expect(nameOf(server, {id: '1', acct: '--a b+c'}, [])).toBe('a-b-c@pix.example');
  });

  test('the default name of a profile is numbered when another account has it', () => {
    const other = {...inFile, account: {id: '18', acct: 'ana'}};
    const elsewhere = {...inFile, name: 'ana@pix.example-2', server: 'https://other.example'};
    expect(nameOf(server, account, [other])).toBe('ana@pix.example-2');
    expect(nameOf(server, account, [other, elsewhere])).toBe('ana@pix.example-3');
    expect(nameOf(server, null, [{...inFile, name: 'pix.example', account: null}])).toBe('pix.example-2');
  });

  test('the default name of a profile is always valid and unused', () => {
    const server = fc
      .webAuthority({withPort: true})
      .map((authority) => `https://${authority}`)
      .filter((url) => URL.canParse(url));
    fc.assert(
      fc.property(server, fc.option(fc.string()), fc.nat({max: 3}), fc.boolean(), (address, acct, count, isAdmin) => {
        const profiles: Profile[] = [];
        for (let index = 0; index <= count; index += 1) {
          const name = nameOf(address, acct === null ? null : {id: String(index), acct}, profiles, isAdmin);
          expect(name).toSatisfy(isProfileName);
          expect(profiles.map((profile) => profile.name)).not.toContain(name);
          profiles.push({...inFile, name, server: address, account: null, isAdmin});
        }
      }),
    );
  });
});

test('a plain profile is a copy with its known fields', () => {
  const scopes = ['read'];
  const more = {...inFile, scopes, account: {id: '1', acct: 'ana', more: 1}, client: {id: '2', more: 1}, more: 1};
  const plain = plainProfile(more);
  expect(plain).toEqual({...inFile, scopes: ['read'], account: {id: '1', acct: 'ana'}, client: {id: '2'}});
  scopes.push('write');
  expect(plain.scopes).toEqual(['read']);
  const empty = {...inFile, scopes: null, account: null, client: null};
  expect(plainProfile(empty)).toEqual(empty);
});
