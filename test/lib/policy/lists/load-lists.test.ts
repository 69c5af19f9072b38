import {createHash} from 'node:crypto';
import {mkdtempSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {expect, onTestFinished, test} from 'vitest';
import {type ListAccess, loadLists} from '../../../../src/lib/policy/lists/load-lists.js';
import type {Policy} from '../../../../src/lib/policy/model/policy.js';
import {readPolicy} from '../../../../src/lib/policy/reading/read-policy.js';
import {domainRulesIn} from '../../../../src/lib/policy/sections/index.js';
import {readPolicyFile} from '../../../../src/lib/policy/reading/policy-file.js';

const list = 'a.example\n';
const sha256 = createHash('sha256').update(list).digest('hex');

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pixelctl-policy-'));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  return folder;
}

const loaded = (policy: Policy, access?: ListAccess) =>
  loadLists(
    domainRulesIn(policy).flatMap(({lists}) => lists),
    policy.file,
    access,
  );

/** A policy with one list reference, in a folder that also holds `l.txt`. */
async function policyWith(reference: string, files: Readonly<Record<string, string>> = {}) {
  const folder = newFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'l.txt'), list);
  writeFileSync(join(folder, 'p.yml'), `version: 1\ndomain_blocks:\n  lists: [${reference}]\n`);
  return {folder, policy: await readPolicyFile(join(folder, 'p.yml'))};
}

test('reads lists beside the policy, and keeps the line of each entry', async () => {
  const {policy} = await policyWith('{file: l.txt}');
  const [used] = await loaded(policy);
  expect(used?.list.entries).toMatchObject([{domain: 'a.example', line: 1}]);
});

test('compares a list with its sha256, wherever it comes from', async () => {
  const fits = await policyWith(`{file: l.txt, sha256: ${sha256.toUpperCase()}}, {url: "https://lists.example/l", sha256: ${sha256}}`);
  expect((await loaded(fits.policy, {fetchList: async () => Buffer.from(list)})).length).toBe(2);
  for (const reference of [`{file: l.txt, sha256: ${'f'.repeat(64)}}`, `{url: "https://lists.example/l", sha256: ${'f'.repeat(64)}}`]) {
    const {policy} = await policyWith(reference);
    await expect(loaded(policy, {fetchList: async () => Buffer.from(list)})).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(new RegExp(`does not match the sha256 at .*: it is ${sha256}`)),
    });
  }
});

test('fetches lists on the web only where that is allowed', async () => {
  const {policy} = await policyWith('{url: "https://lists.example/l"}');
  const asked: string[] = [];
  const fetchList = async (url: string) => {
    asked.push(url);
    return Buffer.from(list);
  };
  await loaded(policy, {fetchList});
  expect(asked).toEqual(['https://lists.example/l']);
  await expect(loaded(policy)).rejects.toMatchObject({code: 'usage', details: {hint: expect.stringContaining('--allow-remote-lists')}});
});

test('names the line of the policy for a missing list', async () => {
  const missing = await policyWith('{file: none.txt}');
  await expect(loaded(missing.policy)).rejects.toMatchObject({
    code: 'local',
    message: expect.stringMatching(/none\.txt \(.*p\.yml:3\): no such file/),
  });
});

test('fails with local when the policy cannot be read', async () => {
  await expect(readPolicyFile('/nowhere/p.yml')).rejects.toMatchObject({
    code: 'local',
    message: 'Cannot read the policy /nowhere/p.yml: no such file',
  });
});

const threeWrong = 'a.example\nn-0\nb.example\nn-1\nnot this\n';

test.each([
  ['fail', undefined],
  ['{max: 0}', undefined],
  ['{max: 2}', undefined],
  ['{max: 3}', 3],
  ['skip', 3],
])('allows as many unusable rows as on_mistake: %s says', async (onMistake, skipped) => {
  const {policy} = await policyWith(`{file: wrong.txt, on_mistake: ${onMistake}}`, {'wrong.txt': threeWrong});
  if (skipped === undefined)
    await expect(loaded(policy)).rejects.toMatchObject({code: 'usage', message: expect.stringContaining('wrong.txt has 3 mistakes')});
  else expect((await loaded(policy)).map(({list: {mistakes}}) => mistakes.rows)).toEqual([skipped]);
});

test('a row with several mistakes counts once towards on_mistake', async () => {
  const text = '#domain,#severity,#reject_media\na.example,suspend,\nb.example,ban,maybe\n';
  const {policy} = await policyWith('{file: wrong.csv, on_mistake: {max: 1}}', {'wrong.csv': text});
  expect(await loaded(policy)).toMatchObject([{list: {entries: [{domain: 'a.example'}]}}]);
});

test('leaves the domain of a wildcard out', async () => {
  const {policy} = await policyWith('{file: wild.txt}', {'wild.txt': '*.wild.example\na.example\nb*d.example\n'});
  expect(await loaded(policy)).toMatchObject([{list: {entries: [{domain: 'a.example'}], obfuscated: 2}}]);
});

const page = '<!doctype html>\n<html><head><title>Sign in</title></head></html>\n';

test.each<[name: string, content: Buffer | string]>([
  ['a web page', page],
  ['a page after the rows', `a.example\n${page}`],
  ['a page under a header', `#domain,#severity\n${page}`],
  ['a page as text', 'Please sign in to continue.\nForgot your password?\n'],
  ['an error as text', '404: Not Found'],
  ['an error of one word', 'Forbidden'],
  ['XML', '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code></Error>'],
  ['a pointer of Git LFS', 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n'],
  ['a gzip file', gzipSync('a.example\n')],
  ['an empty JSON object', '{}'],
  ['a JSON error', '{"error": "The access token is invalid"}'],
  ['a list of JSON errors', '[{"error": "The access token is invalid"}]'],
  ['a JSON text', '"unauthorized"'],
  ['JSON null', 'null'],
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

test.each([
  ['of 0 bytes', '', 'may_be_empty'],
  ['of comments alone', '# nothing today\n', 'may_be_empty'],
  ['of a header alone', '#domain,#severity\n', 'may_be_empty'],
  ['of JSON', '[]', 'may_be_empty'],
  ['of RapidBlock JSON', '{"blocks": {}}', 'may_be_empty'],
])('refuses an empty list %s, unless it may be empty', async (_, text, flag) => {
  const {policy} = await policyWith('{file: empty.txt}', {'empty.txt': text});
  await expect(loaded(policy)).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringMatching(/empty\.txt \(.*p\.yml:3\) names no domain/),
    details: {hint: expect.stringContaining(`${flag}: true`)},
  });
  const allowed = await policyWith(`{file: empty.txt, ${flag}: true}`, {'empty.txt': text});
  expect((await loaded(allowed.policy)).map((used) => used.list.entries)).toEqual([[]]);
});

test('a list of obfuscated entries does not count as empty', async () => {
  const {policy} = await policyWith('{file: masked.txt}', {'masked.txt': 'b*d.example\n'});
  expect((await loaded(policy)).map((used) => used.list.obfuscated)).toEqual([1]);
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
  else expect(await allowed).toMatchObject([{list: {entries: [{domain: 'a.example'}]}}]);
});

test('takes a list from the working folder', async () => {
  const {policy} = await policyWith(`{file: ${join(process.cwd(), 'package.json')}}`);
  await expect(loaded(policy)).rejects.toMatchObject({message: expect.stringContaining('not a known format of lists')});
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
  expect([...domains].map(([key, {wanted}]) => [key, wanted.get('a.example')?.severity])).toEqual([
    ['domain_blocks', 'suspend'],
    ['admin_domain_blocks', 'silence'],
  ]);
});
