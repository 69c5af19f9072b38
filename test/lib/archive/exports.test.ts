/** Exports of a few conversations into a folder: which ones, what is said of each, what ends a run, and what becomes of damage. */
import {cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {
  exportConversations,
  noProgress,
  type ConversationResult,
  type ExportOptions,
} from '../../../src/lib/archive/export-conversations.js';
import {isDamage, ownFailure, RunWatch} from '../../../src/lib/archive/failures.js';
import {verifyArchive} from '../../../src/lib/archive/verify.js';
import {Failure} from '../../../src/lib/client/failure.js';
import {sealLine} from '../../../src/lib/files/chain.js';
import {AccountDirectory} from '../../../src/lib/operations/accounts.js';
import {bytes} from '../../loopback-server.js';
import {newFolder} from '../../new-folder.js';
import {answeringServer, json, noRoute} from '../operations/answering-server.js';

/** A message of that day of January, by its first digit. */
const said = (id: string, more: object = {}) => ({
  id,
  sender_id: '2',
  text: `Text ${id}`,
  created_at: `2026-01-0${id[0]}T00:00:00Z`,
  ...more,
});
const withFile = (id: string, file: string) => said(id, {media: [{id: file, url: `/files/${file}`}]});

interface Conversation {
  readonly inbox: 'hidden' | 'primary' | 'requests';
  readonly more?: object;
  readonly messages: readonly object[];
}

type World = Record<string, Conversation>;

const request = {inbox: 'requests', more: {state: 'request'}} as const;
const two: World = {5: {inbox: 'primary', messages: [said('10'), said('20')]}, 6: {...request, messages: [said('30')]}};

/** `5 ok, 6 auth` */
const ended = (results: readonly ConversationResult[]): string =>
  results.map(({id, failure}) => `${id} ${failure?.code ?? 'ok'}`).join(', ');

/** Of each conversation: files in the archive, new ones, failed ones, those left out, and those that are not there. */
const filesOf = (results: readonly ConversationResult[]) =>
  results.map((one) => [one.media, one.new_media, one.failed_media, one.skipped_media, one.absent_media].join(' '));

/** A server that shows what is in a world, which a test may change, and an archive of it. */
async function archiveOf(world: World) {
  const folder = newFolder();
  /** In place of answers, by a part of the request. */
  const odd = new Map<string, unknown>();
  const shown = (id: string) => ({id, participants: [{id: '2', acct: 'bob', display_name: 'Bob'}], ...world[id]?.more});
  const {client, asked} = await answeringServer(({line}) => {
    const {pathname, searchParams} = new URL(line.replace(/^\w+ /, ''), 'http://x');
    for (const [part, answer] of odd) if (line.includes(part)) return answer;
    const [, id = '', messages] = /\/conversations(?:\/(\d+)(\/messages)?)?$/.exec(pathname) ?? [];
    if (pathname.startsWith('/files/')) return bytes(`GIF89a ${pathname}`);
    if (pathname.endsWith('/lookup')) return [];
    if (pathname.endsWith('/thread')) return {id: '2', name: 'Bob', username: 'bob', conversation_id: '5', messages: [said('10')]};
    if (pathname.includes('/accounts/')) return pathname.endsWith('bob') ? {id: '2', acct: 'bob'} : undefined;
    if (messages !== undefined) return world[id] && {data: world[id].messages.toReversed(), meta: {has_more: false}};
    if (id !== '') return world[id] && shown(id);
    return {
      data: Object.keys(world)
        .filter((one) => world[one]?.inbox === searchParams.get('filter'))
        .map(shown),
      meta: {next_cursor: null},
    };
  });
  const path = (...names: readonly string[]) => join(folder, ...names);
  const itemsIn = (...names: readonly string[]) =>
    readFileSync(path(...names), 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  const media = {server: client.server, token: async () => undefined, ownHost: async () => undefined, retries: 0};
  let runs = 0;
  async function go(named?: readonly string[], more: Partial<ExportOptions> = {}) {
    const progress = noProgress();
    const warnings: string[] = [];
    const before = asked.length;
    let observed = 0;
    const exported = await exportConversations({
      source: {client, signal: new AbortController().signal, observe: () => (observed += 1), noteMoved: () => {}},
      owner: {server: 'https://pix.example', account: {id: '1', acct: 'ana'}},
      folder,
      named,
      withHidden: false,
      onlyNew: false,
      isDryRun: false,
      media,
      progress,
      accounts: async () => new AccountDirectory(),
      now: new Date(Date.UTC(2026, 10, 1) + (runs += 1) * 1000),
      warn: (text) => void warnings.push(text),
      ...more,
    });
    const fetched = asked.slice(before).flatMap((line) => /(?<=\/files\/)\d+/.exec(line)?.[0] ?? []);
    const unobserved = asked.slice(before).filter((line) => line.startsWith('GET /api/v1.1/direct/')).length - observed;
    const [is, files] = [ended(exported.results), filesOf(exported.results)];
    return {...exported, ended: is, files, progress, warnings, fetched: fetched.join(' '), unobserved};
  }
  const verified = async () => {
    const all = [];
    for await (const one of verifyArchive(folder, true)) if (one.failure !== undefined) all.push({...one, message: one.failure.message});
    return all;
  };
  const change = (name: string, how: (text: string) => string) => writeFileSync(path(name), how(readFileSync(path(name), 'utf8')));
  return {client, odd, path, itemsIn, media, go, verified, change};
}

type Archive = Awaited<ReturnType<typeof archiveOf>>;

describe('which conversations are exported', () => {
  const all: World = {...two, 7: {inbox: 'hidden', messages: [], more: {hidden: true}}};

  test.each<[string, readonly string[] | undefined, Partial<ExportOptions>, string, object, number?]>([
    ['all that are not hidden', undefined, {}, '5 ok, 6 ok', {total: 2, done: 2}],
    ['all', undefined, {withHidden: true}, '5 ok, 6 ok, 7 ok', {total: 3, done: 3, messages: 3}],
    ['the named ones, each once', ['6', '@bob', '5', '7'], {}, '6 ok, 5 ok, 7 ok', {total: 3, done: 3, failed: 0}, 1],
    ['those that are there', ['@eve', '99', '5'], {}, '@eve not_found, 99 not_found, 5 ok', {total: 3, done: 1, failed: 2}, 1],
  ])('%s', async (_, named, options, expected, progress, unobserved = 0) => {
    const {go} = await archiveOf(all);
    // People are told what is odd in an answer, except where only a name is looked up, or nothing is found.
    expect(await go(named, options)).toMatchObject({ended: expected, progress, unobserved});
  });

  test('what the archive has is asked for by id where it is not listed, and what is hidden only with all', async () => {
    const world = {...all};
    const {go, itemsIn} = await archiveOf(world);
    await go(undefined, {withHidden: true});
    delete world['5'];
    world['6'] = {inbox: 'hidden', messages: [said('30'), said('40')]};
    expect((await go()).results).toMatchObject([
      {id: '5', gone: 2, doubtful: true},
      {id: '6', new: 1, doubtful: false},
    ]);
    expect(itemsIn('conversations.ndjson')).toMatchObject([{id: '6', messages: 2}, {id: '5', missing: 2}, {id: '7'}]);
    delete world['7'];
    expect((await go(['7', '8'])).ended).toBe('7 ok, 8 not_found');
    expect(itemsIn('conversations.ndjson').map(({id, missing}) => [id, missing])).toEqual([
      ['6', 0],
      ['5', 2],
      ['7', 0],
    ]);
  });

  test('a server from before 2026 has threads, which have to be named', async () => {
    const {go, odd, itemsIn} = await archiveOf({});
    odd.set('/direct/conversations', noRoute);
    expect((await go()).failure).toMatchObject({code: 'not_found', message: expect.stringContaining('it is a server from before 2026')});
    expect(await go(['@bob', '2'])).toMatchObject({unobserved: 1, results: [{id: '2', type: 'thread', messages: 1, not_read: []}]});
    expect(itemsIn('conversations.ndjson')).toMatchObject([{type: 'thread', people: {2: {acct: 'bob', name: 'Bob'}}}]);
    const ends = {min_id: [said('10')], max_id: [], thread: [said('90'), said('80')]};
    for (const [part, messages] of Object.entries(ends)) odd.set(part, {id: '2', name: 'Bob', username: 'bob', messages});
    // What a thread does not show is not taken for deleted.
    const counts = {messages: 3, gone: 0, missing: 0, not_read: [{after: '10', before: '80'}]};
    expect((await go(['2'])).results).toMatchObject([{new: 2, ...counts}]);
    expect((await go(['2'], {onlyNew: true})).results).toMatchObject([{new: 0, ...counts}]);
    odd.clear();
    expect((await go()).results).toEqual([]);
  });

  test.each([
    ['an inbox fails', 'filter=requests', json({}, 500), undefined, 'unavailable'],
    ['a conversation has no id', 'filter=primary', {data: [{}], meta: {next_cursor: null}}, undefined, 'bad_answer'],
    ['it is not known whether there are conversations', 'limit=1', json({}, 500), ['5'], 'unavailable'],
  ])('where %s, nothing is exported', async (_, part, answer, named, code) => {
    const {go, odd} = await archiveOf(two);
    odd.set(part, answer);
    expect(await go(named)).toMatchObject({results: [], failure: {code}});
  });
});

describe('what is said of conversations', () => {
  test('the newest come first, then those with higher ids, and those without a time last', async () => {
    const of = (...messages: readonly object[]): Conversation => ({inbox: 'primary', messages});
    const late = said('9', {created_at: null});
    const world = {
      8: of(),
      5: of(said('10')),
      40: of(said('10')),
      6: of(said('30'), late),
      3: of(said('10'), said('20', {created_at: null})),
    };
    const {go, itemsIn, path} = await archiveOf(world);
    await go();
    const times = itemsIn('conversations.ndjson').map(({id, last_at: last}) => `${id} ${String(last).slice(0, 10)}`);
    expect(times).toEqual(['6 2026-01-03', '40 2026-01-01', '5 2026-01-01', '8 null', '3 null']);
    expect(readFileSync(path('index.html'), 'utf8').match(/(?<=href=")\d+/g)).toEqual(['6', '40', '5', '8', '3']);
  });

  test('one is written again when it is called otherwise, accepted, or of others, and not when anything else changes', async () => {
    const world: World = {};
    const {go, itemsIn} = await archiveOf(world);
    const participants = [{id: '2', acct: 'bob', display_name: 'Bo'}, {id: '3', username: 'eve'}, {acct: 'nobody'}];
    const us = {name: 'Us', participants};
    const sizes: number[] = [];
    for (const more of [{}, {state: 'request', x: 1}, {}, {hidden: true}, {name: 'Us'}, us, {...us, y: 2}]) {
      world['6'] = {inbox: 'requests', messages: [said('30')], more};
      await go();
      sizes.push(itemsIn('6', 'log.ndjson').filter(({run}) => run !== undefined).length);
    }
    expect(sizes).toEqual([1, 2, 3, 4, 5, 6, 6]);
    const people = {2: {acct: 'bob', name: 'Bo'}, 3: {acct: 'eve', name: 'eve'}};
    expect(itemsIn('conversations.ndjson')[0]).toMatchObject({people});
  });
});

test('more than twenty messages that are suddenly gone are in doubt once, and so is an empty answer, which later runs take back', async () => {
  const ids = Array.from({length: 60}, (_, index) => String(10 + index));
  const world: World = {};
  const {go} = await archiveOf(world);
  const doubts = [];
  for (const [from, to] of [
    [0, 60],
    [20, 60],
    [41, 60],
    [41, 60],
    [60, 60],
    [60, 60],
    [41, 60],
  ]) {
    world['5'] = {inbox: 'primary', messages: ids.slice(from, to).map((id) => said(id))};
    const dry = await go(undefined, {isDryRun: true});
    const {results} = await go();
    expect(results[0]?.doubtful).toBe(dry.results[0]?.doubtful);
    doubts.push(results.map((one) => [one.doubtful, one.gone, one.back, one.missing, one.messages]));
  }
  expect(doubts.flat()).toEqual([
    [false, 0, 0, 0, 60],
    [false, 20, 0, 20, 60],
    [true, 21, 0, 41, 60],
    [false, 0, 0, 41, 60],
    [true, 19, 0, 60, 60],
    [false, 0, 0, 60, 60],
    [false, 0, 19, 41, 60],
  ]);
});

describe('what ends a run', () => {
  const failures = {
    ok: undefined,
    damaged: new Failure('local', 'x', {reason: 'damaged'}),
    scope: new Failure('auth', 'x', {reason: 'scope'}),
    ...Object.fromEntries(
      (['unavailable', 'not_found', 'refused', 'bad_answer', 'usage', 'auth', 'local', 'rate_limited', 'interrupted'] as const).map(
        (code) => [code, new Failure(code, 'x')],
      ),
    ),
  };

  test.each([
    ['unavailable unavailable unavailable', true],
    ['unavailable unavailable ok unavailable scope unavailable unavailable', false],
    ['scope scope scope', true],
    ['ok scope scope scope', false],
    ['not_found refused bad_answer usage damaged not_found refused bad_answer usage damaged', false],
    ['ok auth', true],
    ['ok local', true],
    ['ok rate_limited', true],
    ['ok interrupted', true],
  ])('after %s: %j', (kinds, ends) => {
    const watch = new RunWatch();
    const all = kinds.split(' ').map((kind) => watch.isEndedBy(Object.entries(failures).find(([name]) => name === kind)?.[1]));
    expect(all).toEqual(all.map((__, index) => ends && index === all.length - 1));
  });

  test.each([
    [{code: 'EISDIR', path: '/a/x'}, 'Cannot write to /a/x: ', true],
    [{code: 'ENOTDIR', path: '/a/x', dest: '/a/y'}, 'Cannot write to /a/y: ', true],
    [{code: 'EEXIST'}, 'Cannot write to /a: ', true],
    [{code: 'ENOSPC', path: '/a/x'}, 'Cannot write to /a: ', false],
  ])('an error of the system with %j', (error, message, isOfPlace) => {
    const found = ownFailure(Object.assign(new Error('x'), error), '/a');
    expect([found.code, found.message, isDamage(found)]).toEqual(['local', expect.stringContaining(message), isOfPlace]);
  });

  test('the results until then stay, and no files are fetched', async () => {
    const {go, odd, itemsIn} = await archiveOf({...two, 5: {inbox: 'primary', messages: [withFile('10', '1')]}});
    odd.set('/6/messages', json({error: 'Unauthenticated.'}, 401));
    const progress = {total: 2, done: 1, failed: 1, messages: 1};
    expect(await go()).toMatchObject({ended: '5 ok, 6 auth', failure: {code: 'auth'}, fetched: '', progress});
    expect(itemsIn('conversations.ndjson').map(({messages}) => messages)).toEqual([1, 0]);
    odd.clear();
    expect(await go()).toMatchObject({failure: undefined, fetched: '1', progress: {files: 1, messages: 2}});
  });
});

describe('files', () => {
  const files: World = {
    5: {...request, messages: [withFile('10', '1'), withFile('20', '1')]},
    6: {inbox: 'requests', messages: [withFile('30', '2')]},
  };
  const file = join('5', 'media', '1.gif');

  test('are fetched once, those of requests last, and are fetched again where they are gone', async () => {
    const {go, path} = await archiveOf(files);
    expect(await go()).toMatchObject({fetched: '2 1', files: ['1 2 0 0 0', '1 1 0 0 0'], results: [{bytes: 15}, {}]});
    expect(await go()).toMatchObject({fetched: '', files: ['1 0 0 0 0', '1 0 0 0 0']});
    rmSync(path(file));
    for (const more of [{isDryRun: true}, {media: undefined}]) expect((await go(undefined, more)).fetched).toBe('');
    mkdirSync(path('5', 'media', '.part-1'));
    expect((await go()).fetched).toBe('1');
    expect(readdirSync(path('5', 'media'))).toEqual(['1.gif']);
  });

  test('are asked for again where they failed, unless the server no longer shows their message', async () => {
    const world = {...files};
    const {go, odd, itemsIn} = await archiveOf(world);
    const reasons = () => itemsIn('5', 'log.ndjson').flatMap(({media}) => media?.why ?? []);
    for (const status of [404, 404, 403]) {
      odd.set('/files/', json({}, status));
      expect((await go(undefined, {onlyNew: true})).files).toEqual(['0 0 2 0 1', '0 0 1 0 1']);
    }
    expect(reasons()).toEqual(['status 404', 'status 403']);
    world['5'] = {inbox: 'requests', messages: []};
    expect(await go()).toMatchObject({fetched: '2', files: ['0 0 0 0 0', '0 0 1 0 1']});
  });

  test('that are damaged stay, which is told; put aside, they are fetched also where the server no longer shows their message', async () => {
    const world = {...files};
    const {go, path, verified} = await archiveOf(world);
    const damaged = {message: `${path(file)} is damaged`};
    await go();
    truncateSync(path(file), 3);
    expect(await go()).toMatchObject({fetched: '', results: [{failure: {code: 'local', ...damaged}}, {failure: undefined}]});
    expect(await verified()).toMatchObject([{...damaged, id: '5', media: 1, damaged: [file], with: ['@bob']}]);
    renameSync(path(file), path(`${file}.damaged`));
    world['5'] = {inbox: 'requests', messages: []};
    expect(await go()).toMatchObject({fetched: '1', ended: '5 ok, 6 ok', files: ['1 2 0 0 0', '1 0 0 0 0']});
    expect(await verified()).toEqual([]);
    writeFileSync(path(file), 'GIF89a /files/2');
    expect(await verified()).toMatchObject([damaged]);
    expect((await go()).ended).toBe('5 ok, 6 ok');
    rmSync(path(file));
    expect(await verified()).toMatchObject([{message: `${path(file)} is missing`}]);
    mkdirSync(path(file));
    expect(await verified()).toMatchObject([damaged]);
  });

  test('that are there, and that no log names, are written down and not fetched, unless they are no such files', async () => {
    const {go, path, itemsIn, change} = await archiveOf(files);
    await go();
    change('5/log.ndjson', (text) => text.replace('"image/gif"', '"image/png"'));
    cpSync(path('5/log.ndjson'), path('lines'));
    renameSync(path('5/log.ndjson'), path('5/log.damaged-1.ndjson'));
    expect(await go()).toMatchObject({fetched: '', files: ['1 1 0 0 0', '1 0 0 0 0']});
    expect(itemsIn('5', 'index.ndjson').map(({media}) => media)).toMatchObject([[{file: 'media/1.gif', type: 'image/gif'}], [{id: '1'}]]);
    for (const name of ['log.ndjson', 'log.damaged-1.ndjson']) rmSync(path('5', name));
    renameSync(path('lines'), path('5/log.damaged-2.ndjson'));
    writeFileSync(path(file), 'no GIF');
    expect(await go()).toMatchObject({fetched: '1', files: ['1 2 0 0 0', '1 0 0 0 0']});
    expect(readdirSync(path('5', 'media'))).toEqual(['1-2.gif', '1.gif']);
  });

  test('have a size at most, together with those that the archive has', async () => {
    const {go, media} = await archiveOf(files);
    const few = {media: {...media, maxSize: 29}};
    const error = 'over --max-size';
    const media_errors = ['10', '20'].map((message_id) => ({message_id, media_id: '1', error}));
    expect(await go(undefined, few)).toMatchObject({files: ['0 0 0 2 1', '1 1 0 0 0'], results: [{media_errors}, {media_errors: []}]});
    expect(await go(undefined, few)).toMatchObject({files: ['0 0 0 2 1', '1 0 0 0 0'], progress: {files: 0}});
    expect((await go(undefined, {media: {...media, maxSize: 30}})).files).toEqual(['1 2 0 0 0', '1 0 0 0 0']);
  });

  test('of a run that is interrupted stay as far as they were fetched, and all messages were written before', async () => {
    const {go, client, odd, media, itemsIn} = await archiveOf(files);
    const stop = new AbortController();
    const texts: unknown[] = [];
    odd.set('/files/1', (response: {end: () => void}) => {
      texts.push(...itemsIn('conversations.ndjson').flatMap(({id}) => itemsIn(id, 'messages.ndjson')));
      stop.abort(new Failure('interrupted', 'stopped'));
      response.end();
    });
    const source = {client, signal: stop.signal, observe: () => {}, noteMoved: () => {}};
    const run = await go(undefined, {media: {...media, signal: stop.signal}, source});
    expect(run).toMatchObject({failure: {code: 'interrupted'}, ended: '5 interrupted, 6 ok', files: ['0 0 0 0 1', '1 1 0 0 0']});
    expect(texts).toHaveLength(3);
  });
});

describe('damage', () => {
  const [log, sum] = ['5/log.ndjson', '5/log.sum'];
  const cutLine = (text: string) => text.split('\n').toSpliced(2, 1).join('\n');
  const medium = {of: '10', id: '1', type: 'image/png', length: 1, sha256: 'x'};
  const run = {run: '2026-01-01', id: '5', type: 'conversation'};

  /** Lines whose proof is right, and that no run writes. */
  const odd = [
    {media: {...medium, file: '../../x'}},
    {media: {...medium, file: 'media/1.jpg/..'}},
    {media: {...medium, of: '99'}},
    {gone: '99'},
    {back: '99'},
    {page: 1},
    {id: '', message: {}},
    {id: '5', message: 5},
    {...run, id: '9'},
    {...run, run: 'never'},
  ];

  test.each<[string, (archive: Archive) => void, string, string, string]>([
    ['a line that is other', ({change}) => change(log, (text) => text.replace('Text 10', 'Text 11')), log, 'line 3: it is not', 'mv '],
    ['a lost line', ({change}) => change(log, cutLine), log, ' at line 3: ', 'log.damaged-1.ndjson'],
    ['a lost end', ({path}) => truncateSync(path(log)), log, ': it ends after line 0, at byte 0 of ', 'log.damaged-1.ndjson'],
    ['the log of another one', ({path}) => cpSync(path('6'), path('5'), {recursive: true}), log, ' is that of conversation 6', 'move '],
    ['no log', ({path}) => rmSync(path(log)), log, ' is missing, and log.sum is there', 'rm -r '],
    ['a log put aside', ({path}) => renameSync(path(log), path('5/log.damaged-1.ndjson')), log, 'log.damaged-1.ndjson is there', 'without'],
    ['a sum that is none', ({change}) => change(sum, () => '{"size":-1,"x":""}'), sum, ' is damaged', 'rm '],
    ['the sum of another end', ({change}) => change(sum, (text) => text.replace(/"x":"..../, '"x":"zzzz')), log, 'has another end', 'mv '],
    ['a sum within a line', ({change}) => change(sum, () => '{"size":9,"x":""}'), log, ': it does not fit log.sum', 'mv '],
    ['a folder as its sum', ({path}) => (rmSync(path(sum)), mkdirSync(path(sum))), sum, 'Cannot read', 'rm '],
    ...odd.map((line): [string, (archive: Archive) => void, string, string, string] => {
      const add = (text: string) => `${text}${sealLine(/"x":"(\w+)"\}\n$/.exec(text)?.[1] ?? '', JSON.stringify(line)).line}\n`;
      return [JSON.stringify(line), ({change}) => change(log, add), log, ': no run writes such a line', 'mv '];
    }),
  ])('%s is told with its file, stays as it is, and the other conversations go on', async (_, damage, file, what, hint) => {
    const archive = await archiveOf(two);
    const {go, path, verified} = archive;
    await go();
    damage(archive);
    const content = () => readdirSync(path('5')).map((name) => [name, statSync(path('5', name)).mtimeMs]);
    const before = content();
    const [found, ...others] = await verified();
    expect([found?.id, found?.damaged, others]).toEqual(['5', [file], []]);
    expect(found?.failure).toMatchObject({message: expect.stringContaining(what), details: {hint: expect.stringContaining(hint)}});
    expect(found?.message).toContain(path(file));
    const message = found?.message;
    const dry = await go(undefined, {isDryRun: true});
    expect(dry).toMatchObject({ended: '5 local, 6 ok', results: [{failure: {message}}, {}], warnings: []});
    expect(content()).toEqual(before);
  });

  test('a sum that was removed is told, and made anew', async () => {
    const {go, path, verified} = await archiveOf(two);
    await go();
    rmSync(path(sum));
    expect(await verified()).toMatchObject([{id: '5', messages: 2, damaged: [sum]}]);
    expect(await go()).toMatchObject({warnings: [expect.stringContaining(`${path(sum)} is missing`)], ended: '5 ok, 6 ok'});
    expect([await verified(), (await go()).warnings]).toEqual([[], []]);
    for (const name of ['log.sum', 'messages.ndjson', 'index.ndjson', 'page.html']) rmSync(path('5', name));
    expect(await verified()).toMatchObject([{id: '5', messages: 2, damaged: [sum]}]);
    await go();
    truncateSync(path(log));
    rmSync(path(sum));
    expect(await verified()).toMatchObject([{id: '5', messages: 0, damaged: [sum]}]);
  });

  test.each(['messages.ndjson', 'index.ndjson', 'page.html'])(
    '%s that was changed is told, and the next run makes it anew',
    async (name) => {
      const {go, path, verified, change} = await archiveOf(two);
      await go();
      const whole = readFileSync(path('5', name), 'utf8');
      for (const altered of ['', 'x', whole.replace('10', '11')]) {
        change(`5/${name}`, () => altered);
        expect(await verified()).toMatchObject([
          {id: '5', messages: 2, damaged: [`5/${name}`], failure: {details: {hint: expect.stringContaining('without --verify')}}},
        ]);
        expect(await go()).toMatchObject({warnings: [], ended: '5 ok, 6 ok'});
        expect([readFileSync(path('5', name), 'utf8'), await verified()]).toEqual([whole, []]);
      }
      rmSync(path('5', name));
      expect(await verified()).toEqual([]);
    },
  );

  test('files that an earlier version made are no damage, and the next run makes them anew', async () => {
    const {go, path, verified, change} = await archiveOf(two);
    await go();
    const page = readFileSync(path('5/page.html'), 'utf8');
    change(sum, (text) => text.replace(/,"made":\{.*?\}/, ''));
    change('5/page.html', (text) => text.replace('The end', 'That is all'));
    expect(await verified()).toEqual([]);
    await go();
    expect([readFileSync(path('5/page.html'), 'utf8'), readFileSync(path(sum), 'utf8')]).toEqual([page, expect.stringContaining('"made"')]);
  });

  test.each([
    ['without what begins a run', /^\{"run".*\n/gm, '', {people: {}}],
    ['with a damaged line', /"display_name":"Bob","?(?=.*"x")/g, '', {people: {}, conversation: {id: '5'}}],
    ['without a line break', /\n(?=\{"id":"10")/, '', {people: {2: {acct: 'bob'}}, conversation: {id: '5'}}],
  ])('a log %s that was put aside is written anew', async (_, part, other, known) => {
    const world = {...two};
    const {go, path, itemsIn, change} = await archiveOf(world);
    await go();
    change(log, (text) => text.replace(part, other));
    renameSync(path(log), path('5/log.damaged-1.ndjson'));
    delete world['5'];
    expect((await go()).warnings).toEqual([`${path(log)} is written anew from log.damaged-1.ndjson: 2 versions of messages could be read`]);
    expect(itemsIn('conversations.ndjson').find(({id}) => id === '5')).toMatchObject({messages: 2, ...known});
    expect(itemsIn('5', 'index.ndjson').map(({id}) => id)).toEqual(['10', '20']);
  });

  test('a conversation is not mixed with a thread that has its id', async () => {
    const {go, path} = await archiveOf(two);
    mkdirSync(path('5'));
    writeFileSync(path(log), `${sealLine('', JSON.stringify({...run, type: 'thread'})).line}\n`);
    const message = 'The archive has a thread with the id 5: this conversation is not exported';
    expect((await go(['5'])).results).toMatchObject([{failure: {code: 'refused', message}}]);
  });
});
