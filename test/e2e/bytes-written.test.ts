/** What commands write to files for many items is in proportion to their number: none writes a whole file for each. */
import plain, {writeFileSync} from 'node:fs';
import promises from 'node:fs/promises';
import {syncBuiltinESMExports} from 'node:module';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test, vi} from 'vitest';
import {run} from './in-process.js';
import {isOtherProgram, newFolder} from './program.js';
import {serverThat} from './server.js';

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

/** A server that blocks what it is asked to, for a person and for everybody. */
async function blockingServer() {
  const own = new Set<string>();
  const shared = new Map<string, string>();
  let made = 0;
  const rowOf = ([domain, id]: readonly [string, string]) => ({id, domain, severity: 'suspend', private_comment: null});
  return serverThat(({method, target, body}) => {
    const [path = ''] = target.split('?');
    const given = body.length > 0 ? JSON.parse(body.toString()) : {};
    const json = (value: unknown) => ({text: JSON.stringify(value)});
    if (path === '/api/v1/domain_blocks') {
      if (method === 'GET') return json([...own]);
      const domain = String(given.domain).replace('https://', '');
      if (method === 'POST') own.add(domain);
      else own.delete(domain);
      return json([]);
    }
    if (path === '/api/v1/admin/domain_blocks') {
      if (method === 'GET') return json(target.includes('max_id') ? [] : [...shared].map(rowOf));
      shared.set(given.domain, String((made += 1)));
      return json(rowOf([given.domain, String(made)]));
    }
    const id = /^\/api\/v1\/admin\/domain_blocks\/(\d+)$/.exec(path)?.[1];
    if (id !== undefined) {
      for (const [domain, one] of shared) if (one === id) shared.delete(domain);
      return json({});
    }
    if (path.endsWith('verify_credentials')) return json({id: '1', username: 'ana', acct: 'ana'});
    return json(path.endsWith('/conversations') ? {data: [], meta: {next_cursor: null}} : []);
  });
}

const namesOf = (count: number) => Array.from({length: count}, (_, index) => `d${String(index).padStart(4, '0')}.example`);
const policyOf = (domains: readonly string[], key = 'domain_blocks') => `version: 1\n${key}: {must: [${domains.join(', ')}]}\n`;

interface Case {
  readonly files: (count: number) => Readonly<Record<string, string>>;
  readonly before?: readonly (readonly string[])[];
  /** Written over the policy then. */
  readonly after?: string;
  readonly words: readonly string[];
}

const policy = (count: number) => ({'p.yml': policyOf(namesOf(count))});
const list = (count: number) => ({'list.txt': `${namesOf(count).join('\n')}\n`});
const forAll = (count: number) => ({'p.yml': policyOf(namesOf(count), 'admin_domain_blocks')});
const many = ['--allow-additions', '2000', '--allow-removals', '2000', '--yes'];

const cases: Readonly<Record<string, Case>> = {
  apply: {files: policy, words: ['apply', 'p.yml', '--yes']},
  'apply that removes': {
    files: policy,
    before: [['apply', 'p.yml', '--yes']],
    after: policyOf([]),
    words: ['apply', 'p.yml', ...many.slice(2)],
  },
  'apply for everybody': {files: forAll, words: ['apply', 'p.yml', ...many]},
  undo: {files: policy, before: [['apply', 'p.yml', '--yes']], words: ['undo', 'p.yml', '--yes']},
  'undo that makes blocks again': {
    files: forAll,
    before: [['apply', 'p.yml', ...many]],
    after: 'version: 1\nadmin_domain_blocks: {must: [], only: true}\n',
    words: ['undo', 'p.yml', '--yes'],
  },
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
  async function writtenFor(count: number, {files, before = [], after, words}: Case): Promise<number> {
    await using server = await blockingServer();
    const folder = newFolder();
    for (const [name, text] of Object.entries(files(count))) writeFileSync(join(folder, name), text);
    const env = {...server.env};
    const ended = [];
    for (const earlier of before) ended.push(await run(earlier, {env, folder}));
    if (after !== undefined) writeFileSync(join(folder, 'p.yml'), after);
    if (after !== undefined && words[0] === 'undo') ended.push(await run(['apply', 'p.yml', ...many], {env, folder}));
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
