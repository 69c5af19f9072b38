/** Exports: a policy without differences, and lists for other tools. */
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {Failure} from '../../../../src/lib/client/failure.js';
import {exportAccount, type ExportChoice, type ReadSections, sectionsToExport} from '../../../../src/lib/policy/rows/export-policy.js';
import type {Value} from '../../../../src/lib/policy/model/value.js';
import {parsePolicy} from '../../../../src/lib/policy/reading/policy-file.js';
import {codePoint} from '../../../arbitraries.js';
import {compared, type Items, itemsOf} from '../compared.js';
import {now} from '../wanted.js';

const choice: ExportChoice = {format: undefined, only: [], showsPrivate: false, setting: {}};
const word = (keyword: string) => ({keyword, whole_word: true});
const filter = (keywords: readonly ReturnType<typeof word>[], more: object = {}): Value => ({
  context: ['home'],
  action: 'warn',
  expires: 'never',
  keywords,
  ...more,
});
const read = (all: Items): ReadSections => new Map(Object.entries(all).map(([key, items]) => [key, {items: itemsOf(items)}]));

test('a policy is readable', () => {
  const {plain, notes} = exportAccount(
    read({
      domain_blocks: ['a.example', 'b.example'],
      filters: {
        B: filter([{keyword: 'x', whole_word: false}, word('y')]),
        'A (2)': filter([word('word of a')], {context: ['home', 'tags'], expires: '2026-11-23T12:00:00.000Z'}),
      },
      blocks: ['bo@b.example', 'zoe@pix.example'],
    }),
    choice,
    now,
  );
  expect(plain()).toBe(`version: 1
domain_blocks:
  must:
    - a.example
    - b.example
filters:
  must:
    - title: A (2)
      context:
        - home
        - tags
      action: warn
      keywords:
        - word of a
      expires: "2026-11-23T12:00:00.000Z"
    - title: B
      context:
        - home
      action: warn
      keywords:
        - keyword: x
          whole_word: false
        - "y"
      expires: never
blocks:
  must:
    - bo@b.example
    - zoe@pix.example
`);
  expect(notes).toEqual([]);
});

test('a policy of any title and keyword has no differences', async () => {
  const text = fc.string({unit: codePoint, minLength: 1}).filter((one) => one.trim() !== '' && one.isWellFormed());
  const stored = text.map((one) => one.trim().toLowerCase());
  await fc.assert(
    fc.asyncProperty(text, fc.uniqueArray(stored, {minLength: 1, maxLength: 4}), async (title, keywords) => {
      const items = {filters: {[title.trim()]: filter(keywords.toSorted().map(word))}};
      const exported = exportAccount(read(items), choice, now).plain();
      const {kinds} = await compared(exported.replace('version: 1\n', ''), items);
      expect(kinds.flatMap(({rows}) => rows)).toEqual([]);
    }),
    {numRuns: 300},
  );
});

test('what could not be read is no policy, unless the server does not offer it and nobody named it', () => {
  const down = new Failure('unavailable', 'Down');
  expect(() => exportAccount(new Map([['filters', down]]), choice, now)).toThrow(down);
  const missing = new Failure('not_found', 'No route');
  const sections: ReadSections = new Map([...read({blocks: ['bo@b.example']}), ['mutes', missing]]);
  const {notes, plain} = exportAccount(sections, choice, now);
  expect([notes, plain()]).toEqual([['left out: mutes: No route'], 'version: 1\nblocks:\n  must:\n    - bo@b.example\n']);
  expect(() => exportAccount(sections, {...choice, only: ['blocks', 'mutes']}, now)).toThrow(missing);
});

test.each<[string, string, object]>([
  ['no title', '', {}],
  ['no context', 'A', {context: []}],
  ['a context that policies do not know', 'A', {context: ['home', 'elsewhere']}],
  ['an action that policies do not know', 'A', {action: 'explode'}],
  ['an empty keyword', 'A', {keywords: [word('')]}],
])('a filter with %s is left out of a policy, and named', (_, title, more) => {
  const items = {filters: {[title]: filter([word('a')], more), B: filter([word('b')])}};
  const {plain, notes} = exportAccount(read(items), choice, now);
  expect(notes).toEqual([{text: `left out, because a policy cannot express it: filter 1 "${title}"`, to: 'warning'}]);
  expect(
    parsePolicy(plain(), 'p.yml')
      .rules.get('filters')
      ?.must.map(({value}) => value),
  ).toEqual(['B']);
});

test('private comments of server blocks are left out, and counted', () => {
  const block = {severity: 'suspend', private_comment: 'secret 7', public_comment: 'spam'} as const;
  const sections = read({admin_domain_blocks: {'a.example': block}});
  const ofServer: ExportChoice = {...choice, only: ['admin_domain_blocks']};
  const open = exportAccount(sections, ofServer, now);
  expect([open.plain().includes('secret 7'), open.plain().includes('spam'), open.notes]).toEqual([
    false,
    true,
    [{text: 'left out, because it is private: 1 private comment; --show-private includes it', to: 'warning'}],
  ]);
  const whole = exportAccount(sections, {...ofServer, showsPrivate: true}, now);
  expect([whole.plain().includes('secret 7'), whole.notes]).toEqual([true, []]);
});

test('another tool gets only the parts that its format can hold', () => {
  const sections = read({
    domain_blocks: ['a.example', 'b.example'],
    blocks: ['bo@b.example', 'zoe@pix.example'],
    mutes: ['zoe@pix.example'],
    filters: {A: filter([word('a')])},
  });
  const list = (format: ExportChoice['format'], key: string) => {
    const read = new Map([...sections].filter(([one]) => one === key));
    return exportAccount(read, {...choice, format, only: [key]}, now).plain();
  };
  expect(list('mastodon-csv', 'domain_blocks')).toBe('a.example\nb.example\n');
  expect(list('mastodon-csv', 'blocks')).toBe('bo@b.example\nzoe@pix.example\n');
  expect(list('mastodon-csv', 'mutes')).toBe('Account address,Hide notifications\nzoe@pix.example,true\n');
  expect(list('plain', 'domain_blocks')).toBe('a.example\nb.example\n');
  expect(JSON.parse(list('mastodon-json', 'filters'))).toEqual({
    custom_filters: [{title: 'A', expire_at: null, context: ['home'], action: 'warn', keywords_attributes: [word('a')], statuses: []}],
  });
  expect(() => list('mastodon-csv', 'filters')).toThrow(
    expect.objectContaining({code: 'usage', message: 'mastodon-csv cannot hold filters'}),
  );
});

test('a list holds one part', () => {
  expect(sectionsToExport(choice)).toEqual(['domain_blocks', 'filters', 'blocks', 'mutes']);
  expect(sectionsToExport({...choice, format: 'mastodon-json'})).toEqual(['filters']);
  expect(() => sectionsToExport({...choice, format: 'plain', only: ['blocks', 'mutes']})).toThrow('--as plain takes one part');
});
