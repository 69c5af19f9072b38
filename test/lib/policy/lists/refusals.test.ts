/** Why a list that a policy names is not used, and what to do about it. */
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {beforeEach, describe, expect, onTestFinished, test} from 'vitest';
import {Failure} from '../../../../src/lib/client/failure.js';
import {type ListAccess, loadLists} from '../../../../src/lib/policy/lists/load-lists.js';
import {readList, refuseRowMistakes} from '../../../../src/lib/policy/lists/read-list.js';
import type {ListReference} from '../../../../src/lib/policy/model/policy.js';
import {used} from './used.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pixelctl-refusals-'));
  onTestFinished(() => rmSync(folder, {recursive: true}));
});

const referenceTo = (from: ListReference['from'], more: Partial<ListReference> = {}) => used('l.csv', '', {from, ...more}).reference;

function load(from: ListReference['from'], {access = {}, ...more}: Partial<ListReference> & {readonly access?: ListAccess} = {}) {
  return loadLists([referenceTo(from, more)], join(folder, 'p.yml'), access);
}

const refused = (message: string, hint: string, code = 'usage') => ({code, message, details: {hint}});
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const at = (name: string) => `${join(folder, name)} (p.yml:1)`;

describe('a list in a file', () => {
  test('has rows that are no domains, more than are allowed', async () => {
    write('l.csv', 'a.example\nn-0\nn-1\n');
    const message = `${join(folder, 'l.csv')} has 2 mistakes\n${join(folder, 'l.csv')}:2: "n-0" is not a domain: it has no dot\n${join(folder, 'l.csv')}:3: "n-1" is not a domain: it has no dot`;
    await expect(load({file: 'l.csv'})).rejects.toMatchObject(
      refused(message, 'leave such rows out with `on_mistake: skip` or `on_mistake: {max: N}` for this list'),
    );
    await expect(load({file: 'l.csv'}, {maxMistakes: 1})).rejects.toMatchObject(
      refused(message, '`on_mistake` allows 1 of them: check the list, or raise the number'),
    );
    expect(await load({file: 'l.csv'}, {maxMistakes: 2})).toMatchObject([{list: {entries: [{domain: 'a.example'}]}}]);
  });

  test('has no rows that are domains', async () => {
    write('l.csv', 'n-0\nn-1\n');
    await expect(load({file: 'l.csv'}, {maxMistakes: 9, mayBeEmpty: true})).rejects.toMatchObject(
      refused(
        `None of the 2 rows of ${at('l.csv')} names a domain`,
        'check that it is a list of domains, and not a page or an error that a server returned',
      ),
    );
  });

  test.each<[ListReference['spares'], string]>([
    [undefined, 'removes what it asked for'],
    [true, 'no longer holds back what it named'],
  ])('has no rows, of what is spared: %s', async (spares, said) => {
    write('l.csv', '# none\n');
    await expect(load({file: 'l.csv'}, {spares})).rejects.toMatchObject(
      refused(
        `The list ${at('l.csv')} names no domain`,
        `an empty list ${said} before; if this is intended, set \`may_be_empty: true\` for it`,
      ),
    );
    expect(await load({file: 'l.csv'}, {spares, mayBeEmpty: true})).toMatchObject([{list: {entries: []}}]);
  });

  test('is outside of the folders that lists are read from', async () => {
    mkdirSync(join(folder, 'in'));
    write('l.csv', 'a.example\n');
    write('..l.csv', 'a.example\n');
    const inner = (file: string) => loadLists([referenceTo({file})], join(folder, 'in', 'p.yml'));
    await expect(inner('../l.csv')).rejects.toMatchObject(
      refused(
        `The list ${at('l.csv')} is outside of the policy's folder and the working folder`,
        'copy it there, or allow it with --allow-outside',
      ),
    );
    expect(await load({file: '..l.csv'})).toHaveLength(1);
  });
});

describe('a list on the web', () => {
  const url = 'https://lists.example/l';

  test('is not fetched by default', async () => {
    await expect(load({url})).rejects.toMatchObject(
      refused(
        'p.yml:1 names a list on the web, which is not fetched by default',
        'allow it with --allow-remote-lists, or save it as a file',
      ),
    );
  });

  test('fails as its server does', async () => {
    const failure = new Failure('unavailable', 'status 503', {hint: 'later'});
    await expect(load({url}, {access: {fetchList: () => Promise.reject(failure)}})).rejects.toBe(failure);
    await expect(load({url}, {access: {fetchList: () => Promise.reject(new TypeError('odd'))}})).rejects.toThrow('odd');
  });
});

test('the mistakes of rows are counted against what is allowed, and five are shown', () => {
  const list = readList(Array.from({length: 7}, (_, index) => `no${index}`).join('\n'), 'l.csv');
  expect(() => refuseRowMistakes(list, 'do this', 7)).not.toThrow();
  expect(() => refuseRowMistakes(list, 'do this', 6)).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(/^l\.csv has 7 mistakes(\nl\.csv:\d: .*){5}\nand 2 more$/),
      details: expect.objectContaining({hint: 'do this'}),
    }),
  );
});

test('what only mentions a page, XML or Git LFS is a list', () => {
  const said = 'version https://git-lfs.github.com/spec/v1 <?xml <p>';
  for (const text of [`#domain,#public_comment\na.example,${said}\n`, `a.example # ${said}\n`, `# x\n# ${said}\na.example\n`])
    expect(readList(text, 'l').entries).toMatchObject([{domain: 'a.example'}]);
});

test('each member of a list in JSON has its line and its mistake', () => {
  const text =
    '[\n"a.example",\n5, {"domain": "b.example"},\n{"domain": 5}, {"severity": "noop"}, {"domain": "c.example", "severity": "ban"},\n{"domain": "d.example", "reject_media": "yes"}]';
  const list = readList(text, 'l');
  expect(list.kind === 'domains' && list.entries.map(({domain, line}) => `${domain}:${line}`)).toEqual(['a.example:2', 'b.example:3']);
  expect([list.mistakes.rows, list.mistakes.first.map(({line, message}) => `${line}: ${message}`)]).toEqual([
    5,
    [
      '3: a domain or {domain} is expected, got 5; put it in quotes',
      '4: domain: text is expected, got 5; put it in quotes',
      '4: domain is missing',
      '4: the severity is "ban"; allowed: noop, silence, suspend',
      '5: reject_media: true or false is expected, got text',
    ],
  ]);
});
