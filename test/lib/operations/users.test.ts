/** People: who is meant, what is kept and sent to change them, and what is set back of it. */
import {array, assert as check, boolean, constantFrom, property, record, subarray} from 'fast-check';
import {describe, expect, test} from 'vitest';
import {userFlags} from '../../../src/lib/api/admin-entities.js';
import {membersOf} from '../../../src/lib/api/schema.js';
import {requestsFor, type Operation} from '../../../src/lib/operations/operation.js';
import {restoration, toFoundTarget, userDeletion, userModeration, userReading, userRestoration} from '../../../src/lib/operations/users.js';
import {failureOf} from '../../failure-of.js';
import {clientOf} from '../../loopback-server.js';
import {act} from './acting.js';
import {answeringServer, json, type AnsweringServer} from './answering-server.js';

const client = () => clientOf(new URL('http://127.0.0.1:1'));
const user = (more: object = {}) => ({id: '5', profile_id: '90', username: 'ana', is_admin: false, ...more});

test('a person is known by the ids and the name', () => {
  expect(toFoundTarget(user({statuses_count: 3, email: 'ana@pix.example'}), client(), '/x', {refusesAdmins: true})).toEqual({
    id: '5',
    accountId: '90',
    name: '@ana',
    posts: 3,
    saved: {user: {id: '5', profile_id: '90', username: 'ana', is_admin: false, statuses_count: 3}},
  });
});

test.each([
  [{profile_id: ''}, 'has no profile', true],
  [{is_admin: true}, 'is an admin', true],
  [{is_admin: undefined}, 'is an admin', true],
  [{is_admin: true}, undefined, false],
  [{}, undefined, true],
])('somebody with %j is refused: %s', (more, why, refusesAdmins) => {
  const read = () => toFoundTarget(user(more), client(), '/x', {refusesAdmins});
  if (why === undefined) expect(read()).toMatchObject({name: '@ana'});
  else expect(read).toThrow(`@ana ${why}`);
});

test.each([
  {id: 'x'},
  {id: undefined},
  {profile_id: 'x'},
  {profile_id: undefined},
  {username: undefined},
  {id: 'x', profile_id: ''},
  {username: undefined, profile_id: ''},
])('somebody with %j cannot be used', (more) => {
  expect(() => toFoundTarget(user(more), client(), '/x', {refusesAdmins: false})).toThrow(
    expect.objectContaining({code: 'bad_answer', message: '127.0.0.1:1: a user has no usable id, account or name'}),
  );
});

type Flags = Record<(typeof userFlags)[number], boolean>;

const free: Flags = {unlisted: false, cw: false, no_autolink: false};

const anyFlags = record({unlisted: boolean(), cw: boolean(), no_autolink: boolean()});

/** A run: what it asks for, and which of what it keeps it comes to set. */
const run = record({asked: anyFlags, of: subarray([...userFlags]), reaches: subarray([...userFlags])});

/** The line that a run keeps, and what holds after it. */
function changed(now: Flags, {asked, of, reaches}: {readonly asked: Flags; readonly of: string[]; readonly reaches: string[]}) {
  const set = Object.fromEntries(
    userFlags.filter((flag) => of.includes(flag) && asked[flag] !== now[flag]).map((flag) => [flag, asked[flag]]),
  );
  const done = Object.fromEntries(Object.entries(set).filter(([flag]) => reaches.includes(flag)));
  return {line: {moderation: now, set}, after: {...now, ...done}};
}

test('whatever runs changed, whole or in part, is set back to what it was', () => {
  check(
    property(anyFlags, array(run, {maxLength: 5}), (first, runs) => {
      let now = first;
      const lines = runs.flatMap((one) => {
        const {line, after} = changed(now, {...one, reaches: [...userFlags]});
        now = after;
        return Object.keys(line.set).length === 0 ? [] : [line];
      });
      expect({...now, ...restoration(lines, now).wanted}).toEqual(first);
      expect(restoration(lines, now)).toMatchObject({already: [], left: []});
    }),
  );
});

test('one run that was broken off is set back to what it was', () => {
  check(
    property(anyFlags, run, (first, one) => {
      const {line, after} = changed(first, one);
      expect({...after, ...restoration([line], after).wanted}).toEqual(first);
    }),
  );
});

test('only what runs set is set back, and what differs otherwise is named', () => {
  check(
    property(anyFlags, array(run, {minLength: 1, maxLength: 5}), anyFlags, constantFrom(...userFlags), (first, runs, now, flag) => {
      let held = first;
      const lines = runs.map((one) => {
        const {line, after} = changed(held, one);
        held = after;
        return line;
      });
      const {wanted, already, left} = restoration(lines, now);
      const isSet = lines.some(({set}) => flag in set);
      if (!isSet) expect(wanted).not.toHaveProperty(flag);
      if (now[flag] !== first[flag]) expect(flag in wanted || left.includes(flag)).toBe(true);
      else expect(flag in wanted || left.includes(flag)).toBe(false);
      expect(already.every((one) => now[one] === first[one])).toBe(true);
    }),
  );
});

test('nothing is set back where nothing was kept', () => {
  expect(restoration([], free)).toEqual({wanted: {}, already: [], left: []});
});

const admin = '/api/admin/users';
const bob = {...user({username: 'bob'}), email_verified_at: null, statuses_count: 3, followers_count: 1};
const person = {user: bob, flags: free};

/** A server with Bob, whose list has others before him. It calls itself pics.example. @param odd in place of an answer, by the action or the route */
async function having({user: one, flags}: {readonly user: object; readonly flags: Flags}, odd: Readonly<Record<string, unknown>> = {}) {
  const now = {user: {...one}, flags: {...flags}};
  const others = ['bobby', 'bo'].map((username, index) => ({...user({username}), id: String(index + 1)}));
  const shown = () => ({data: now.user, meta: {moderation: {...now.flags}}});
  const server = await answeringServer(({line, body}) => {
    const {action, id} = membersOf(body);
    const name = String(action ?? /list|get|instance/.exec(line)?.[0]);
    if (name in odd && id !== '0') return odd[name];
    if (name === 'list')
      return {data: line.includes('cursor') ? [now.user] : others, meta: {next_cursor: line.includes('cursor') ? null : 'x'}};
    if (name === 'instance') return {uri: 'https://pics.example'};
    if (name === 'refresh_stats') Object.assign(now.user, {statuses_count: 9});
    else if (name === 'verify_email') Object.assign(now.user, {email_verified_at: '2026-11-22T00:00:00Z'});
    else if (name === 'delete') return {status: 200, msg: 'deleted'};
    else for (const flag of userFlags) if (name === flag) now.flags[flag] = !now.flags[flag];
    return shown();
  });
  const acts = () => server.asked.flatMap((line) => (line.startsWith('POST') ? [/"action":"(\w+)"/.exec(line)?.[1]] : []));
  return {...server, acts};
}

const onHost = (name: string, {client}: AnsweringServer): string => name.replace('HOST', client.host);

describe('who is meant', () => {
  test.each([
    ['5', 1],
    [' @bob ', 2],
    ['@bob@HOST', 2],
    ['https://HOST/@bob', 2],
    ['@bob@Pics.example', 3],
    ['@bob@pics.example:8443', 3],
  ])('%s is Bob, who is found with %i requests', async (name, requests) => {
    const server = await having(person);
    const {found} = await act(userModeration, {body: {user: onHost(name, server), cw: false}}, server.client, {profile: '90'});
    expect(found).toMatchObject({id: '5', name: '@bob', accountId: '90', posts: 3, followers: 1});
    // The person is read again before anything is sent.
    expect(server.asked).toHaveLength(requests + 1);
  });

  test.each([
    ['@Bob', 'lists nobody with the name @Bob', 'use the id'],
    ['@bob@other.example', '@bob@other.example is an account of another server', '`instances moderate`'],
    ['1234567890123', '1234567890123 is too long for the id of a user: ids of accounts are not taken', 'use @name'],
    ['bob', 'The name of a person begins with @, not "bob"', 'use @bob'],
    ['bob@pics.example', '"bob@pics.example" is not a person', 'use @name, the address of a profile, or the id of the user'],
    ['@bo b', '"@bo b" is not a person', 'use @name'],
    ['https://pix.example/p/bob/1', 'is not an account', 'profile URL'],
  ])('%s is refused: %s', async (name, message, hint) => {
    const server = await having(person);
    const failure = await failureOf(act(userModeration, {body: {user: name, cw: true}}, server.client));
    expect(failure).toMatchObject({message: expect.stringContaining(message), details: {hint: expect.stringContaining(hint)}});
    expect(server.acts()).toEqual([]);
  });

  test('an id of a user has at most twelve digits', () => {
    expect(userModeration.convert?.['user']?.('123456789012')).toBe('123456789012');
  });

  test.each([
    [{profile: '91'}, {}, {code: 'usage', message: expect.stringContaining('another account than the given one')}],
    [{}, {get: {data: {...bob, username: 'eve'}, meta: {}}}, {code: 'bad_answer', details: {reason: 'another_target'}}],
    [{}, {get: {data: {...bob, profile_id: '91'}, meta: {}}}, {code: 'bad_answer', details: {reason: 'another_target'}}],
    [{}, {get: {data: bob, meta: {moderation: {unlisted: true, cw: true}}}}, {details: {fate: 'unknown', reason: 'shape'}}],
  ])('nothing is sent about somebody else: %j, where %j', async (given, odd, expected) => {
    const {client, acts} = await having(person, odd);
    expect(await failureOf(act(userModeration, {body: {user: '@bob', cw: true}}, client, given))).toMatchObject(expected);
    expect(acts()).toEqual([]);
  });

  test.each([
    ['@bob', {}, [`GET ${admin}/list?q=bob`, `GET ${admin}/list?q=bob&cursor=x`, `GET ${admin}/get?refresh=1&user_id=5`]],
    ['@bob', {profile_id: '', is_admin: true}, [expect.anything(), expect.anything(), `GET ${admin}/get?refresh=1&user_id=5`]],
    ['5', {is_admin: true}, [`GET ${admin}/get?refresh=1&user_id=5`]],
  ])('%s with %j is read', async (user_id, more, asked) => {
    const {client, asked: lines} = await having({...person, user: {...bob, ...more}});
    expect((await userReading.send?.({query: {user_id}}, client))?.value).toMatchObject({data: {username: 'bob'}});
    expect(lines).toEqual(asked);
  });

  test('somebody else in the answer is not read', async () => {
    const {client} = await having(person, {get: {data: {...bob, username: 'eve'}, meta: {}}});
    expect(await failureOf(Promise.resolve(userReading.send?.({query: {user_id: '@bob'}}, client)))).toMatchObject({code: 'bad_answer'});
  });
});

describe('what is changed', () => {
  const set = (flags: object, more: object = {}) => ({action: 'update', moderation: free, set: flags, ...more});

  test.each<[string, object, Partial<Flags>, readonly string[], readonly object[]]>([
    ['a flag that differs', {cw: true}, {}, ['cw'], [set({cw: true})]],
    ['no flag that is so', {cw: true, unlisted: false}, {cw: true}, [], []],
    ['a flag by its opposite', {autolink: false}, {}, ['no_autolink'], [set({no_autolink: true})]],
    ['the same one back', {autolink: true, unlisted: false}, {no_autolink: true}, ['no_autolink'], [{set: {no_autolink: false}}]],
    ['an e-mail address', {verify_email: true}, {}, ['verify_email'], [set({}, {verify_email: true})]],
    [
      'all',
      {unlisted: true, cw: true, verify_email: true},
      {},
      ['unlisted', 'cw', 'verify_email'],
      [set({unlisted: true, cw: true}, {verify_email: true})],
    ],
    ['numbers, and nothing else', {refresh_stats: true}, {}, ['refresh_stats'], []],
    [
      'numbers, and a flag',
      {refresh_stats: true, cw: true},
      {},
      ['refresh_stats', 'cw'],
      [{...set({cw: true}), user: {statuses_count: 9}}],
    ],
    ['nothing', {verify_email: false, refresh_stats: false}, {}, [], []],
  ])('%s: %j', async (_, body, flags, sent, lines) => {
    const {client, acts} = await having({user: bob, flags: {...free, ...flags}});
    const {kept, found} = await act(userModeration, {body: {user: '5', ...body}}, client);
    expect(acts()).toEqual(sent);
    expect(kept).toMatchObject(lines);
    expect(kept).toHaveLength(lines.length);
    expect(found.mayBeOneself).toBe(sent.every((one) => one === 'refresh_stats') && !('cw' in body) ? true : undefined);
  });

  test('an e-mail address is verified once', async () => {
    const {client, acts} = await having({...person, user: {...bob, email_verified_at: '2026-11-22T00:00:00Z'}});
    expect((await act(userModeration, {body: {user: '5', verify_email: true}}, client)).kept).toEqual([]);
    expect(acts()).toEqual([]);
  });

  test('admins are counted, and neither changed nor deleted', async () => {
    const {client, acts} = await having({...person, user: {...bob, is_admin: true}});
    await act(userModeration, {body: {user: '5', refresh_stats: true}}, client);
    for (const [operation, body] of [
      [userModeration, {cw: false}],
      [userDeletion, {}],
      [userRestoration, {}],
    ] as const)
      expect(await failureOf(act(operation, {body: {user: '5', ...body}}, client))).toMatchObject({
        code: 'refused',
        message: expect.stringContaining('@bob is an admin'),
      });
    expect(acts()).toEqual(['refresh_stats']);
  });

  test.each([
    [
      'fails',
      json({}, 500),
      {code: 'unavailable', message: expect.stringContaining('(done already: unlisted)'), details: {done: ['unlisted']}},
    ],
    [
      'does not say what holds',
      {data: bob, meta: {}},
      {code: 'bad_answer', details: {fate: 'unknown', done: ['unlisted'], canRepeat: true}},
    ],
    ['is about somebody else', {data: {...bob, username: 'eve'}, meta: {moderation: free}}, {code: 'bad_answer'}],
    [
      'shows that somebody changes it back',
      {data: bob, meta: {moderation: {...free, unlisted: true}}},
      {
        code: 'unavailable',
        message: expect.stringContaining('cw was changed back'),
        details: {fate: 'unknown', done: ['unlisted'], canRepeat: true},
      },
    ],
  ])('a second answer that %s is a failure, with what was done', async (_, cw, expected) => {
    const {client} = await having(person, {cw});
    expect(await failureOf(act(userModeration, {body: {user: '5', unlisted: true, cw: true}}, client))).toMatchObject(expected);
  });

  test.each<[string, Operation, {readonly user: string; readonly [flag: string]: unknown}, readonly string[]]>([
    [
      'a change of several things',
      userModeration,
      {user: '@bob', cw: true, autolink: false, verify_email: true, refresh_stats: true},
      ['refresh_stats', 'cw', 'no_autolink', 'verify_email'],
    ],
    ['a change', userModeration, {user: '5', unlisted: false, refresh_stats: false}, ['unlisted']],
    ['a deletion', userDeletion, {user: '5'}, ['delete']],
    ['a restoration', userRestoration, {user: '5'}, ['unlisted', 'cw', 'no_autolink']],
  ])('a dry run names each request of %s', (_, operation, body, actions) => {
    const id = body.user === '5' ? '5' : '<id of @bob>';
    expect(requestsFor(operation, {body}).map((request) => request.body)).toEqual(actions.map((action) => ({json: {id, action}})));
  });
});

describe('what cannot be taken back', () => {
  test('a person is deleted by the numbers of now, which are kept before', async () => {
    const {client, acts} = await having(person);
    const {found, kept} = await act(userDeletion, {body: {user: '@bob'}}, client);
    expect(found.posts).toBe(9);
    expect(kept).toEqual([{action: 'delete', user: expect.objectContaining({username: 'bob', statuses_count: 9})}]);
    expect(acts()).toEqual(['refresh_stats', 'delete']);
    expect(userDeletion.finding?.final?.({})).toEqual({noun: ['person', 'people'], isTyped: true});
  });

  test.each([
    [
      json({error: ''}, 404),
      {code: 'refused', message: expect.stringContaining('does not allow that people are deleted (404)'), details: {reason: undefined}},
    ],
    [json({error: 'x'}, 500), {code: 'unavailable'}],
  ])('a deletion that fails says why', async (answer, expected) => {
    const {client} = await having(person, {delete: answer});
    expect(await failureOf(act(userDeletion, {body: {user: '5'}}, client))).toMatchObject(expected);
  });
});

describe('a restoration', () => {
  const line = (set: Partial<Flags>, more: object = {}) => ({action: 'update', user: bob, moderation: free, set, ...more});

  test.each<[readonly object[], Partial<Flags>, readonly string[], readonly string[] | undefined, object]>([
    [[line({cw: true})], {cw: true}, ['cw'], undefined, {set: {cw: false}, user: {username: 'bob'}, moderation: {...free, cw: true}}],
    [[line({cw: true, no_autolink: true})], {}, [], ['@bob was set back already: --no-cw, --autolink'], {set: {}}],
    [
      [line({no_autolink: false})],
      {no_autolink: true, unlisted: true},
      [],
      ['@bob was changed since, and stays so: --unlisted, --no-autolink'],
      {set: {}},
    ],
    [[line({}, {verify_email: true})], {}, [], ['@bob: the e-mail address stays verified'], {set: {}}],
  ])('of %j, where %j holds, sends %j', async (saved, flags, sent, warnings, restored) => {
    const {client, acts} = await having({user: bob, flags: {...free, ...flags}});
    const ended = await act(userRestoration, {body: {user: '5'}}, client, {saved: saved.map(membersOf)});
    expect(acts()).toEqual(sent);
    expect(ended.warnings).toEqual(warnings);
    expect(ended.restored).toMatchObject([restored]);
  });

  test('of somebody who was restored before notes nothing', async () => {
    const {client} = await having(person);
    expect(await act(userRestoration, {body: {user: '5'}}, client)).toMatchObject({restored: [], warnings: ['@bob was restored before']});
  });

  test.each<[object, unknown]>([
    [{}, {value: '5', profile: '90'}],
    [{user: {id: 'x', profile_id: '90'}}, undefined],
    [{user: {id: '5'}}, undefined],
    [{user: {profile_id: '90'}}, undefined],
    [{moderation: {unlisted: true, cw: true}}, undefined],
  ])('of a line with %j is about %j', (more, named) => {
    expect(userRestoration.finding?.restores?.namedIn({...line({cw: true}), ...more})).toEqual(named);
  });

  test('names in a dry run what any of the changes set', () => {
    const requests = userRestoration.finding?.restores?.requests('5', [line({cw: false}), line({no_autolink: true})]);
    expect(requests?.map(({body}) => body)).toEqual(['cw', 'no_autolink'].map((action) => ({json: {id: '5', action}})));
  });
});
