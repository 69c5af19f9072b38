/** Why a domain, an account or a filter is as it is. */
import {expect, test} from 'vitest';
import {explain} from '../../../../src/lib/policy/rows/explain.js';
import {answeringServer} from '../../operations/answering-server.js';
import {ana} from '../compared.js';
import {used} from '../lists/used.js';
import {wantedBy} from '../wanted.js';

interface Around {
  /** What the server has, by section. */
  readonly there?: Readonly<Record<string, readonly unknown[]>>;
  readonly lists?: Parameters<typeof wantedBy>[1];
}

/** What `explain` says of a text. */
async function explained(text: string, policy: string, {there = {}, lists}: Around = {}) {
  const {client} = await answeringServer(({line}) => there[/\/(\w+)(?:\?|$)/.exec(line)?.[1] ?? ''] ?? []);
  return explain(text, wantedBy(`version: 1\n${policy}`, lists), {...ana, client});
}

test('a domain is explained by every rule and list that names it', async () => {
  const policy = 'domain_blocks:\n  must: [a.example]\n  must_not: [{domain: good.example, note: our sister}]\n';
  const lists = {'l.csv': 'domain,severity,public_comment\nsub.a.example,suspend,spam\ngood.example,suspend\nmild.example,noop\n'};
  const there = {domain_blocks: ['a.example']};
  const {document, rows, notes} = await explained('https://sub.A.example/', policy, {there, lists});
  expect(document).toMatchObject([
    {
      kind: 'domain_block',
      subject: 'sub.a.example',
      wanted: true,
      there: false,
      actual: 'not blocked',
      because: [{rule: 'domain_blocks.lists', where: 'l.csv:2', says: 'suspend, “spam”; named by 1 list, 1 needed'}],
    },
  ]);
  expect([rows.length, notes]).toEqual([1, []]);
  expect((await explained('good.example', policy, {there, lists})).document).toMatchObject([
    {
      wanted: false,
      there: false,
      because: expect.arrayContaining([{rule: 'domain_blocks.must_not', where: 'p.yml:4', says: 'must not be blocked: our sister'}]),
    },
  ]);
  expect((await explained('mild.example', policy, {there, lists})).document).toMatchObject([
    {wanted: null, because: [{says: 'noop; less than min_severity'}]},
  ]);
});

test('a domain that lists together call noop is told as not blocked', async () => {
  const lists = ['suspend', 'noop'].map((one) => used(`${one}.csv`, `domain,severity\nx.example,${one}\n`, {minSeverity: 'noop'}));
  const {document} = await explained('x.example', 'domain_blocks: {severity: lowest}', {lists});
  const says = expect.stringContaining('not blocked: the merged severity is noop');
  expect(document).toMatchObject([
    {
      wanted: null,
      because: [
        {where: 'suspend.csv:2', says},
        {where: 'noop.csv:2', says},
      ],
    },
  ]);
});

test.each(['domain_blocks', 'admin_domain_blocks'])(
  '%s: a list of must_not is told also where another rule goes before it',
  async (key) => {
    const spares = used('n.txt', 'x.example\nn1.example\nn2.example\n', {spares: true, minSeverity: 'noop'});
    const policy = wantedBy(`version: 1\n${key}: {must: [n1.example], must_not: [n2.example]}`, [spares]);
    const {client} = await answeringServer(() => []);
    const because = async (text: string) => (await explain(text, policy, {...ana, client})).document.flatMap((one) => one.because);
    const must = {rule: `${key}.must`, where: 'p.yml:2', says: expect.stringContaining('must be blocked')};
    const mustNot = {rule: `${key}.must_not`, where: 'p.yml:2', says: 'must not be blocked'};
    const listed = (line: number) => ({rule: `${key}.must_not`, where: `n.txt:${line}`, says: 'a list of must_not names it'});
    expect(await because('n1.example')).toEqual([must, {...listed(2), says: 'a list of must_not names it, but must goes before it'}]);
    expect(await because('n2.example')).toEqual([mustNot, listed(3)]);
    expect(await because('x.example')).toMatchObject([{where: 'n.txt:1'}]);
  },
);

test('a domain that no rule names is told as such, and whether it is blocked', async () => {
  const {document, rows, notes} = await explained('other.example', 'domain_blocks: {must: [a.example]}', {
    there: {domain_blocks: ['other.example']},
  });
  expect(document).toMatchObject([{subject: 'other.example', wanted: null, there: true, actual: 'blocked', because: []}]);
  expect([rows.length, notes]).toEqual([1, [{text: 'No rule names the domain block other.example.', to: 'tables'}]]);
});

test('a server does not block itself, whatever names it', async () => {
  const {document} = await explained('pix.example', 'domain_blocks: {must: [pix.example]}');
  expect(document).toMatchObject([
    {
      wanted: false,
      there: false,
      because: [{says: 'a server does not block itself (p.yml:2)'}, {says: expect.stringContaining('must be blocked')}],
    },
  ]);
});

test('the block and the mute of an account are explained separately', async () => {
  const policy = 'blocks: {must: ["@troll@bad.example"]}\nmutes: {must: [], only: true}';
  const {document} = await explained('@troll@bad.example', policy, {there: {mutes: [{id: '9', acct: 'troll@bad.example'}]}});
  expect(document).toMatchObject([
    {kind: 'block', subject: 'troll@bad.example', wanted: true, there: false, actual: 'not blocked', because: [{rule: 'blocks.must'}]},
    {kind: 'mute', subject: 'troll@bad.example', wanted: false, there: true, actual: 'muted', because: [{rule: 'mutes.only'}]},
  ]);
});

test('a filter is explained by its title', async () => {
  const policy = 'filters: {must: [{title: New, context: [home], keywords: [a]}], only: true}';
  const keywords = [{id: '1', keyword: 'x', whole_word: true}];
  const filters = [{id: '3', title: 'Old', context: ['home'], filter_action: 'warn', expires_at: null, keywords}];
  expect((await explained('Old', policy, {there: {filters}})).document).toContainEqual(
    expect.objectContaining({
      kind: 'filter',
      subject: 'Old',
      wanted: false,
      there: true,
      actual: 'warn; in home; keywords: x',
      because: [{rule: 'filters.only', where: 'p.yml:2', says: 'nothing else may be there'}],
    }),
  );
  expect((await explained('New', policy)).document).toContainEqual(
    expect.objectContaining({
      kind: 'filter',
      wanted: true,
      there: false,
      because: [{rule: 'filters.must', where: 'p.yml:2', says: 'must be there: in home; keywords: a'}],
    }),
  );
});

test('a word is what something says of it, and a domain where nothing does', async () => {
  const policy = 'domain_blocks: {must_not: [spoilers]}\nfilters: {must: [{title: Ads, context: [home], keywords: [a]}]}';
  const kindsOf = async (text: string) => (await explained(text, policy)).document.map(({kind}) => kind);
  expect(await kindsOf('Ads')).toEqual(['filter']);
  expect(await kindsOf('spoilers')).toEqual(['domain_block']);
  expect(await kindsOf('nothing')).toEqual(['domain_block']);
});

test('a server block is explained as it is', async () => {
  const there = {domain_blocks: [{id: '1', domain: 'a.example', severity: 'silence', created_at: '2026-01-01T00:00:00Z'}]};
  const {document} = await explained('a.example', 'admin_domain_blocks: {must: [a.example]}', {there});
  expect(document).toMatchObject([{kind: 'admin_domain_block', wanted: true, there: true, actual: 'silenced'}]);
});
