import {createHash} from 'node:crypto';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {loadLists} from '../../../../src/lib/policy/lists/load-lists.js';
import {readPolicyFile} from '../../../../src/lib/policy/policy-file.js';

const list = 'a.example\n';
const sha256 = createHash('sha256').update(list).digest('hex');

/** A policy with one list reference, in a folder that also holds `l.txt`. */
async function policyWith(reference: string) {
  const folder = mkdtempSync(join(tmpdir(), 'pixelctl-policy-'));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  writeFileSync(join(folder, 'l.txt'), list);
  writeFileSync(join(folder, 'accounts.csv'), 'ana@a.example\n');
  writeFileSync(join(folder, 'p.yml'), `version: 1\ndomain_blocks:\n  lists: [${reference}]\n`);
  return {folder, policy: await readPolicyFile(join(folder, 'p.yml'))};
}

test('lists stand beside the policy, and their entries say where they are from', async () => {
  const {folder, policy} = await policyWith('{file: l.txt}');
  const [used] = await loadLists(policy);
  expect(used?.list.entries).toMatchObject([{domain: 'a.example', place: {file: join(folder, 'l.txt'), line: 1}}]);
});

test('a list is held against its pin, wherever it is', async () => {
  const fits = await policyWith(`{file: l.txt, sha256: ${sha256.toUpperCase()}}, {url: "https://lists.example/l", sha256: ${sha256}}`);
  expect((await loadLists(fits.policy, async () => Buffer.from(list))).length).toBe(2);
  for (const reference of [`{file: l.txt, sha256: ${'f'.repeat(64)}}`, `{url: "https://lists.example/l", sha256: ${'f'.repeat(64)}}`]) {
    const {policy} = await policyWith(reference);
    await expect(loadLists(policy, async () => Buffer.from(list))).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(`its sha256 is ${sha256}`),
    });
  }
});

test('lists on the web are only read where that is allowed', async () => {
  const {policy} = await policyWith('{url: "https://lists.example/l"}');
  const asked: string[] = [];
  await loadLists(policy, async (url) => {
    asked.push(url);
    return Buffer.from(list);
  });
  expect(asked).toEqual(['https://lists.example/l']);
  await expect(loadLists(policy)).rejects.toMatchObject({code: 'usage', details: {hint: expect.stringContaining('--allow-remote-lists')}});
});

test('a list that is missing, or is no list of domains, is said with its place in the policy', async () => {
  const missing = await policyWith('{file: none.txt}');
  await expect(loadLists(missing.policy)).rejects.toMatchObject({
    code: 'local',
    message: expect.stringMatching(/none\.txt \(.*p\.yml:3\): there is no such file/),
  });
  const other = await policyWith('{file: accounts.csv}');
  await expect(loadLists(other.policy)).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('is a list of accounts, not of domains'),
  });
});

test('a policy that cannot be read is a failure of this machine', async () => {
  await expect(readPolicyFile('/nowhere/p.yml')).rejects.toMatchObject({
    code: 'local',
    message: 'Cannot read the policy /nowhere/p.yml: there is no such file',
  });
});
