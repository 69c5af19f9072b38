/** What commands write to files for many items is in proportion to their number: none writes a whole file for each. */
import plain, {writeFileSync} from 'node:fs';
import promises from 'node:fs/promises';
import {syncBuiltinESMExports} from 'node:module';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test, vi} from 'vitest';
import {run} from './in-process.js';
import {isOtherProgram, newFolder} from './program.js';
import {recordedSandbox} from './server.js';

type Text = string | Uint8Array | Iterable<string>;
const lengthOf = (text: Text): number => (typeof text === 'string' || text instanceof Uint8Array ? text.length : [...text].join('').length);

/** Characters that were written to files since it was last set. */
let written = 0;
const {open} = promises;
const {appendFileSync} = plain;

beforeAll(() => {
  vi.spyOn(plain, 'appendFileSync').mockImplementation((file, text) => {
    written += lengthOf(text);
    appendFileSync(file, text);
  });
  vi.spyOn(promises, 'open').mockImplementation(async (...given) => {
    const file = await open(...given);
    for (const name of ['write', 'writeFile', 'appendFile'] as const) {
      const act = file[name];
      const counting = (text: Text, ...rest: unknown[]) => {
        const all = typeof text === 'string' || text instanceof Uint8Array ? text : [...text].join('');
        written += lengthOf(all);
        return Reflect.apply(act, file, [all, ...rest]);
      };
      Object.assign(file, {[name]: counting});
    }
    return file;
  });
  syncBuiltinESMExports();
});
afterAll(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const namesOf = (count: number) => Array.from({length: count}, (_, index) => `d${String(index).padStart(4, '0')}.example`);
const policyOf = (domains: readonly string[], key = 'domain_blocks') => `version: 1\n${key}: {must: [${domains.join(', ')}]}\n`;

interface Case {
  readonly files: (count: number) => Readonly<Record<string, string>>;
  readonly before?: readonly (readonly string[])[];
  readonly words: readonly string[];
}

const policy = (count: number) => ({'p.yml': policyOf(namesOf(count))});
const list = (count: number) => ({'list.txt': `${namesOf(count).join('\n')}\n`});
const forAll = (count: number) => ({'p.yml': policyOf(namesOf(count), 'admin_domain_blocks')});
const many = ['--allow-additions', '2000', '--allow-removals', '2000', '--yes'];

const cases: Readonly<Record<string, Case>> = {
  apply: {files: policy, words: ['apply', 'p.yml', '--yes']},
  'apply for everybody': {files: forAll, words: ['apply', 'p.yml', ...many]},
  undo: {files: policy, before: [['apply', 'p.yml', '--yes']], words: ['undo', 'p.yml', '--yes']},
  restore: {
    files: list,
    before: [
      ['domain-blocks', 'add', '--from', 'list.txt', '--yes'],
      ['backup', '--to', 'saved'],
      ['domain-blocks', 'remove', '--from', 'list.txt'],
    ],
    words: ['restore', 'saved', '--yes'],
  },
  'many targets with a journal': {
    files: list,
    words: ['domain-blocks', 'add', '--from', 'list.txt', '--journal', 'journal', '--yes'],
  },
  'state adopt': {
    files: (count) => ({...policy(count), ...list(count)}),
    before: [['domain-blocks', 'add', '--from', 'list.txt', '--yes']],
    words: ['state', 'adopt', 'p.yml', '--all'],
  },
};

describe.skipIf(isOtherProgram)('a command writes five times as much for five times as many items:', () => {
  async function writtenFor(count: number, {files, before = [], words}: Case): Promise<number> {
    await using server = await recordedSandbox({seed: {accounts: [{acct: 'ana', admin: true}]}, limitsRate: false, domainLimit: 1000});
    const folder = newFolder();
    for (const [name, text] of Object.entries(files(count))) writeFileSync(join(folder, name), text);
    const env = {...server.env, PIXELCTL_TOKEN: server.sandbox.tokens.admins['ana'] ?? ''};
    const ended = [];
    for (const earlier of before) ended.push(await run(earlier, {env, folder}));
    written = 0;
    ended.push(await run(words, {env, folder}));
    expect(ended.map(({status, stderr}) => [status === 10 ? 0 : status, status === 0 || status === 10 ? '' : stderr])).toEqual(
      ended.map(() => [0, '']),
    );
    return written;
  }

  test.each(Object.entries(cases))('%s', async (_, one) => {
    const [few, more] = [await writtenFor(20, one), await writtenFor(100, one)];
    expect(few).toBeGreaterThan(1000);
    expect(more).toBeLessThan(6 * few);
  });
});
