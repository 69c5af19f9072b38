/** What is adopted where there are several accounts. */
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {Failure} from '../../../../src/lib/client/failure.js';
import {readPolicy} from '../../../../src/lib/policy/reading/read-policy.js';
import {adoptItems} from '../../../../src/lib/policy/rows/owning.js';
import type {Accounts, Target} from '../../../../src/lib/policy/rows/target.js';
import {newFolder} from '../../../new-folder.js';
import {accountsOf, having} from '../compared.js';

test('what one account has is adopted, though another one cannot be read; where none can, nothing is', async () => {
  const policy = join(newFolder(), 'p.yml');
  writeFileSync(policy, 'version: 1\nmutes: {must: [bo@b.example]}\n');
  const use: Target['use'] = (file) => {
    onTestFinished(() => file[Symbol.asyncDispose]());
    return file;
  };
  const target: Target = {...having({mutes: ['bo@b.example']}), use};
  const failure = new Failure('unavailable', 'no answer');
  const adopt = (accounts: Accounts) => adoptItems([policy], {all: true}, accounts, (file) => readPolicy(file));
  const found = await adopt(accountsOf(target, failure));
  expect(found).toMatchObject({document: [{subject: 'bo@b.example'}], notes: ['Adopted 1 item.'], failure});
  const none: Accounts = {gather: async () => ({all: [{target, failure}], failure, noun: undefined, advice: target.advice})};
  await expect(adopt(none)).rejects.toBe(failure);
});
