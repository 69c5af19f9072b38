import {createHash} from 'node:crypto';
import {readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {expect, test} from 'vitest';
import {Failure} from '../../../../src/lib/client/failure.js';
import {type ListAccess, loadLists} from '../../../../src/lib/policy/lists/load-lists.js';
import type {Policy} from '../../../../src/lib/policy/model/policy.js';
import {readPolicy, summariesIn} from '../../../../src/lib/policy/reading/read-policy.js';
import {domainRulesIn} from '../../../../src/lib/policy/sections/index.js';
import {parsePolicy} from '../../../../src/lib/policy/reading/policy-file.js';
import {newFolder} from '../../../new-folder.js';

const list = 'a.example\n';
const sha256 = createHash('sha256').update(list).digest('hex');

const threeWrong = 'a.example\nn-0\nb.example\nn-1\nnot this\n';

async function loaded(policy: Policy, access?: ListAccess) {
  const references = domainRulesIn(policy).flatMap(({lists}) => lists);
  const lists = await loadLists(references, access);
  return references.flatMap((one) => lists.get(one) ?? []);
}

/** A policy with one list reference, in a folder that also holds `l.txt`. */
async function policyWith(reference: string, files: Readonly<Record<string, string>> = {}) {
  const folder = newFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'l.txt'), list);
  writeFileSync(join(folder, 'p.yml'), `version: 1\ndomain_blocks:\n  lists: [${reference}]\n`);
  const file = join(folder, 'p.yml');
  return {folder, policy: parsePolicy(readFileSync(file, 'utf8'), file)};
}

test('reads lists beside the policy, and keeps the line of each entry', async () => {
  const {policy} = await policyWith('{file: l.txt}');
  const [read] = await loaded(policy);
  expect(read?.entries).toMatchObject([{domain: 'a.example', line: 1}]);
});

test('compares a list with its sha256, wherever it comes from', async () => {
  const fits = await policyWith(`{file: l.txt, sha256: ${sha256.toUpperCase()}}, {url: "https://lists.example/l", sha256: ${sha256}}`);
  expect((await loaded(fits.policy, {fetchList: async () => Buffer.from(list)})).length).toBe(2);
});

test.each<[why: string, reference: string, message: RegExp, hint: string]>([
  [
    'is on the web',
    '{url: "https://lists.example/l"}',
    /^.*p\.yml:3 names a list on the web, which is not fetched by default$/,
    'allow it with --allow-remote-lists, or save it as a file',
  ],
  ['is missing', '{file: none.txt}', /none\.txt \(.*p\.yml:3\): no such file$/, 'check the path'],
  [
    'has wrong rows',
    '{file: wrong.txt}',
    /^.*wrong\.txt has 3 mistakes\n.*wrong\.txt:2: "n-0" is not a domain/,
    'leave such rows out with `on_mistake: skip` for this list',
  ],
  [
    'has wrong rows alone',
    '{file: all.txt, on_mistake: skip, may_be_empty: true}',
    /^The list .*all\.txt \(.*p\.yml:3\) names no domain$/,
    'check that it is a list, and not a page or an error of a server; if it is meant to be empty, set `may_be_empty: true` for it',
  ],
  [
    'has no rows',
    '{file: empty.txt}',
    /^The list .*empty\.txt \(.*p\.yml:3\) names no domain$/,
    'check that it is a list, and not a page or an error of a server; if it is meant to be empty, set `may_be_empty: true` for it',
  ],
  [
    'has other content',
    `{file: l.txt, sha256: ${'f'.repeat(64)}}`,
    new RegExp(`does not match the sha256 at .*p\\.yml:3: it is ${sha256}$`),
    'check what changed in it, then update the sha256',
  ],
])('a list that %s is refused', async (_, reference, message, hint) => {
  const {policy} = await policyWith(reference, {'wrong.txt': threeWrong, 'all.txt': 'n-0\nn-1\n', 'empty.txt': '# none\n'});
  await expect(loaded(policy)).rejects.toMatchObject({message: expect.stringMatching(message), details: {hint}});
});

test('all lists that cannot be used are named', async () => {
  const {policy} = await policyWith('{file: none.txt}, {file: l.txt}, {file: wrong.txt}, {file: none.txt, max_severity: silence}', {
    'wrong.txt': threeWrong,
  });
  await expect(loaded(policy)).rejects.toMatchObject({
    message: expect.stringMatching(
      /^2 files cannot be used\nCannot read the list .*none\.txt .*\n.*wrong\.txt has 3 mistakes(\n.*wrong\.txt:\d: .*){3}$/,
    ),
    details: {mistakes: [{line: 2}, {line: 4}, {line: 5}]},
  });
});

test('fetches lists on the web where that is allowed, and fails as their servers do', async () => {
  const {policy} = await policyWith('{url: "https://lists.example/l"}');
  const asked: string[] = [];
  const fetchList = async (url: string) => {
    asked.push(url);
    return Buffer.from(list);
  };
  await loaded(policy, {fetchList});
  expect(asked).toEqual(['https://lists.example/l']);
  const failure = new Failure('unavailable', 'status 503', {hint: 'later'});
  await expect(loaded(policy, {fetchList: () => Promise.reject(failure)})).rejects.toMatchObject({
    code: 'unavailable',
    message: 'status 503',
    details: {hint: 'later'},
  });
});

test('fails with local when the policy cannot be read', async () => {
  await expect(readPolicy('/nowhere/p.yml')).rejects.toMatchObject({
    code: 'local',
    message: 'Cannot read the policy /nowhere/p.yml: no such file',
  });
});

test('leaves unusable rows out with on_mistake: skip, and counts each once', async () => {
  const text = '#domain,#severity,#reject_media\na.example,suspend,\nb.example,ban,maybe\n';
  const {policy} = await policyWith('{file: wrong.csv, on_mistake: skip}', {'wrong.csv': text});
  const [read] = await loaded(policy);
  expect([read?.entries.map(({domain}) => domain), read?.mistakes.count]).toEqual([['a.example'], 1]);
});

const page = '<!doctype html>\n<html><head><title>Sign in</title></head></html>\n';

test.each<[name: string, content: Buffer | string]>([
  ['a web page', page],
  ['a page after the rows', `a.example\n${page}`],
  ['a page as text', 'Please sign in to continue.\nForgot your password?\n'],
  ['XML', '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code></Error>'],
  ['a gzip file', gzipSync('a.example\n')],
  ['an empty JSON object', '{}'],
  ['a list of JSON errors', '[{"error": "The access token is invalid"}]'],
  ['masked letters without a domain', '********'],
])('never takes %s for an empty list, from a file or from the web', async (_, content) => {
  const anything = 'on_mistake: skip, may_be_empty: true';
  const local = await policyWith(`{file: bad.csv, ${anything}}`);
  writeFileSync(join(local.folder, 'bad.csv'), content);
  await expect(loaded(local.policy)).rejects.toMatchObject({code: 'usage', message: expect.stringContaining('bad.csv')});
  const remote = await policyWith(`{url: "https://lists.example/l.csv", ${anything}}`);
  await expect(loaded(remote.policy, {fetchList: async () => Buffer.from(content)})).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('https://lists.example/l.csv'),
  });
});

test.each(['', '# nothing today\n', '#domain,#severity\n', '[]', '{"banned": []}'])(
  'refuses an empty list: %j, unless it may be empty',
  async (text) => {
    const {policy} = await policyWith('{file: empty.txt}', {'empty.txt': text});
    await expect(loaded(policy)).rejects.toThrow('names no domain');
    const allowed = await policyWith('{file: empty.txt, may_be_empty: true}', {'empty.txt': text});
    expect((await loaded(allowed.policy)).map((used) => used.entries)).toEqual([[]]);
  },
);

test('a list of obfuscated entries does not count as empty', async () => {
  const {policy} = await policyWith('{file: masked.txt}', {'masked.txt': 'b*d.example\n'});
  expect((await loaded(policy)).map((used) => used.obfuscated)).toEqual([1]);
});

test.each([
  ['by its path', (outside: string) => `{file: ${join(outside, 'secret.txt')}}`],
  ['through a folder above', (outside: string) => `{file: ../${outside.split('/').at(-1)}/secret.txt}`],
  ['that is not there', (outside: string) => `{file: ${join(outside, 'none.txt')}}`],
  ['through a link', () => '{file: link.txt}'],
])('refuses a file outside of the policy %s, unless that is allowed', async (_, reference) => {
  const outside = newFolder();
  writeFileSync(join(outside, 'secret.txt'), list);
  const {folder, policy} = await policyWith(reference(outside));
  symlinkSync(join(outside, 'secret.txt'), join(folder, 'link.txt'));
  await expect(loaded(policy)).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining("is outside of the policy's folder and the working folder"),
    details: {hint: expect.stringContaining('--allow-outside')},
  });
  const allowed = loaded(policy, {isOutsideAllowed: true});
  if (reference(outside).includes('none.txt')) await expect(allowed).rejects.toMatchObject({code: 'local'});
  else expect(await allowed).toMatchObject([{entries: [{domain: 'a.example'}]}]);
});

test('takes a list from the working folder', async () => {
  const {policy} = await policyWith(`{file: ${join(process.cwd(), 'package.json')}}`);
  await expect(loaded(policy)).rejects.toMatchObject({message: expect.stringContaining('not a known format of lists')});
});

test('a list that is named twice, in two spellings, is one list with one place', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'l.txt'), list);
  writeFileSync(
    join(folder, 'p.yml'),
    `version: 1\ndomain_blocks:\n  lists: [{file: l.txt}, {file: ./l.txt}, {file: "${folder}/./l.txt"}]\n`,
  );
  const {domains} = await readPolicy(join(folder, 'p.yml'));
  const {where, lists} = domains.get('domain_blocks')?.desired.want.get('a.example')?.why ?? {};
  expect([where, lists]).toEqual([`${join(folder, 'l.txt')}:1`, undefined]);
  expect(summariesIn(domains)).toMatchObject([{list: join(folder, 'l.txt')}]);
});

test('a list that several rules and sections name is read once', async () => {
  const folder = newFolder();
  const address = 'https://lists.example/l';
  const text = `version: 1
domain_blocks:
  lists: [{url: "${address}"}, {url: "${address}"}]
admin_domain_blocks:
  lists: [{url: "${address}", max_severity: silence}]
`;
  writeFileSync(join(folder, 'p.yml'), text);
  const fetches: string[] = [];
  const fetchList = async (asked: string) => {
    fetches.push(asked);
    return Buffer.from('domain,severity\na.example,suspend\n');
  };
  const {domains} = await readPolicy(join(folder, 'p.yml'), {fetchList});
  expect(fetches).toEqual([address]);
  expect([...domains].map(([key, {wanted}]) => [key, wanted.get('a.example')?.facts?.severity])).toEqual([
    ['domain_blocks', 'suspend'],
    ['admin_domain_blocks', 'silence'],
  ]);
});
