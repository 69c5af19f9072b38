/** Parts of policies: which sections and items are meant, and for whom. */
import {describe, expect, test} from 'vitest';
import {asksServer, includes, ownedIn, partText, policyIn} from '../../../../src/lib/policy/reading/part.js';
import {readPolicy, refuseOtherAccount, refuseOtherServer} from '../../../../src/lib/policy/reading/policy-file.js';
import {wantedFor, withFollowed} from '../../../../src/lib/policy/reading/read-wanted.js';
import type {PlanPart} from '../../../../src/lib/policy/lists/wanted.js';
import {wantedBy} from '../wanted.js';

const text = `version: 1
domain_blocks: {must: [a.example]}
admin_domain_blocks: {must: [b.example]}
blocks: {must: [troll@a.example]}
mutes: {must: [bot]}
`;
const policy = readPolicy(text, 'p.yml');
const sectionsOf = (of: object) => Object.entries(of).flatMap(([key, value]) => (key !== 'file' && value !== undefined ? key : []));

test.each<[PlanPart, string]>([
  [{only: ['blocks']}, '--only blocks'],
  [{only: ['blocks', 'mutes']}, '--only blocks,mutes'],
])('the part %j is %j', (part, words) => {
  expect(partText(part)).toBe(words);
});

test('a policy in a part has its sections alone', () => {
  expect(policyIn(policy, undefined)).toBe(policy);
  expect(sectionsOf(policyIn(policy, ['blocks', 'mutes']))).toEqual(['blocks', 'mutes']);
  expect(policyIn(policy, ['blocks']).blocks).toBe(policy.blocks);
});

test('what is owned in a part is that of its sections', () => {
  const owned = [
    {kind: 'block', subject: 'a'},
    {kind: 'domain_block', subject: 'b'},
    {kind: 'filter', subject: 'c', id: '1'},
  ] as const;
  expect(ownedIn(owned, undefined)).toBe(owned);
  expect(ownedIn(owned, ['blocks', 'filters']).map(({subject}) => subject)).toEqual(['a', 'c']);
  expect(ownedIn(owned, ['mutes'])).toEqual([]);
});

test.each<[PlanPart | undefined, account: boolean, server: boolean, asks: boolean | undefined]>([
  [undefined, true, true, true],
  [{only: ['admin_domain_blocks']}, false, true, true],
  [{only: ['blocks']}, true, false, false],
  [{only: ['blocks', 'admin_domain_blocks']}, true, true, true],
])('the part %j is about accounts, or what they share', (part, account, server, asks) => {
  expect([includes(part, 'account'), includes(part, 'server')]).toEqual([account, server]);
  expect(asksServer(policy, part)).toBe(asks);
});

test('a policy without rules about a server may have had some', () => {
  expect(asksServer(readPolicy('version: 1\nblocks: {must: []}\n', 'p.yml'), undefined)).toBeUndefined();
});

describe('a policy for one server', () => {
  const server = (line: string) => readPolicy(`version: 1\n${line}\n`, 'p.yml');

  test.each(['pix.example', 'https://pix.example', 'HTTPS://PIX.example/about', 'https://pix.example:443'])('is that of %s', (name) => {
    expect(server(`server: "${name}"`).server).toEqual({value: new URL('https://pix.example'), location: {file: 'p.yml', line: 2}});
    expect(() => refuseOtherServer(server(`server: "${name}"`), new URL('https://pix.example/x'))).not.toThrow();
  });

  test('is refused for another one', () => {
    expect(() => refuseOtherServer(server('server: pix.example'), new URL('https://other.example'))).toThrow(
      expect.objectContaining({code: 'usage', message: 'The policy is for pix.example (p.yml:2), not for other.example'}),
    );
    expect(() => refuseOtherServer(server('server: pix.example'), new URL('http://pix.example'))).toThrow('The policy is for pix.example');
    expect(() => refuseOtherServer(server('blocks: {}'), new URL('https://other.example'))).not.toThrow();
  });

  test('has an address', () => {
    expect(() => server('server: "a b"')).toThrow('p.yml:2:9: "a b" is not the address of a server, as in https://pix.example');
  });
});

test('a policy for other accounts says what to do', () => {
  const accounts = readPolicy('version: 1\naccounts: [ana@pix.example]\n', 'p.yml');
  const refused = (given: string | undefined) => () => refuseOtherAccount(accounts, given);
  expect(refused('bo@pix.example')).toThrow(
    expect.objectContaining({
      code: 'usage',
      details: expect.objectContaining({hint: 'use the profile of one of its accounts, or add this one to accounts'}),
    }),
  );
  expect(refused(undefined)).toThrow(
    expect.objectContaining({
      code: 'usage',
      details: expect.objectContaining({hint: 'sign in again with a token that has the scope read'}),
    }),
  );
  const variants = readPolicy('version: 1\nfor: {ana@pix.example: {}}\n', 'p.yml');
  expect(() => refuseOtherAccount(variants, 'bo@pix.example')).not.toThrow();
  expect(() => refuseOtherAccount({...accounts, accounts: []}, 'bo@pix.example')).toThrow(
    'The policy is not for bo@pix.example: its accounts (p.yml) do not include it',
  );
});

test('an empty policy says how one begins', () => {
  for (const empty of ['', '# nothing\n', 'null\n'])
    expect(() => readPolicy(empty, 'p.yml')).toThrow(
      expect.objectContaining({message: 'p.yml is empty', details: expect.objectContaining({hint: 'a policy begins with `version: 1`'})}),
    );
});

describe('what accounts of a server share', () => {
  const policyOf = (ana: string, bo: string) =>
    `version: 1\nfor:\n  ana@pix.example: {${ana}}\n  bo@pix.example: {${bo}}\n  clara@other.example: {admin_domain_blocks: {must: [c.example]}}\n`;
  const one = 'admin_domain_blocks: {must: [a.example]}';

  test('is the same for all of them', () => {
    expect(() => readPolicy(policyOf(one, one), 'p.yml')).not.toThrow();
    expect(() => readPolicy(policyOf(one, 'admin_domain_blocks: {must: [b.example]}'), 'p.yml')).toThrow(
      /^p\.yml:4:20: admin_domain_blocks differs from that of ana@pix\.example, and .* are those of pix\.example$/,
    );
    expect(() => readPolicy(policyOf(one, 'blocks: {must: []}'), 'p.yml')).toThrow(/^p\.yml:4:19: admin_domain_blocks differs/);
    expect(() => readPolicy(policyOf('', one), 'p.yml')).toThrow(/^p\.yml:4:20: /);
  });

  const domains = (wanted: ReturnType<typeof wantedBy>) =>
    Object.fromEntries([...wanted.domains].map(([key, {wanted: some}]) => [key, [...some.keys()]]));
  const base =
    'version: 1\nblocks: {must: [troll@a.example]}\ndomain_blocks: {must: [all.example]}\nfor:\n  ana@pix.example: {admin_domain_blocks: {must: [shared.example]}, domain_blocks: {must: [own.example]}}\n';
  const target = (account: string, host = 'pix.example', owner?: 'account' | 'server') => ({
    account,
    owner,
    server: new URL(`https://${host}`),
  });

  test('is wanted for an account of it that the policy does not name', () => {
    const wanted = wantedBy(base);
    expect(domains(wantedFor(wanted, target('@ana')))).toEqual({
      domain_blocks: ['all.example', 'own.example'],
      admin_domain_blocks: ['shared.example'],
    });
    expect(domains(wantedFor(wanted, target('@bo')))).toEqual({domain_blocks: ['all.example'], admin_domain_blocks: ['shared.example']});
    expect(domains(wantedFor(wanted, target('@bo', 'other.example')))).toEqual({domain_blocks: ['all.example']});
    expect(domains(wantedFor(wanted, target('pix.example', 'pix.example', 'server')))).toEqual({admin_domain_blocks: ['shared.example']});
    expect(domains(wantedFor(wanted, target('@ana', 'pix.example', 'account')))).toEqual({domain_blocks: ['all.example', 'own.example']});
  });

  test('is wanted in the part that is meant', () => {
    const wanted = {...wantedBy(base), part: {only: ['blocks' as const]}, onlyAdds: true, showsPrivate: true};
    const found = wantedFor(wanted, target('@ana'));
    expect(sectionsOf(found.policy)).toContain('blocks');
    expect([found.policy.domain_blocks, [...found.domains.keys()]]).toEqual([undefined, []]);
    expect([found.part, found.onlyAdds, found.showsPrivate]).toEqual([wanted.part, true, true]);
  });

  test('of a policy that is the same for all, everything is shared', () => {
    const wanted = wantedBy('version: 1\ndomain_blocks: {must: [a.example]}\n');
    const found = wantedFor(wanted, target('@ana'));
    expect(found.policy).toBe(wanted.policy);
    expect(found.domains.get('domain_blocks')).toBe(wanted.domains.get('domain_blocks'));
  });
});

test('who is followed is read where a policy asks for it, and it can be read', async () => {
  const followed = {value: {counts: new Map([['a.example', 2]]), readAt: new Date(0)}};
  let count = 0;
  const read = async () => {
    count += 1;
    return followed;
  };
  const protects = wantedBy('version: 1\ndomain_blocks: {must: [a.example], protect_followed: 1}\n');
  expect((await withFollowed(protects, read)).followed).toBe(followed);
  expect(await withFollowed(protects, undefined)).toBe(protects);
  const plain = wantedBy('version: 1\ndomain_blocks: {must: [a.example]}\n');
  expect(await withFollowed(plain, read)).toBe(plain);
  expect(count).toBe(1);
});
