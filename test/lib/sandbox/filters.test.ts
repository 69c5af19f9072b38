import {afterEach, describe, expect, test, vi} from 'vitest';
import type {Sandbox} from '../../sandbox/start.js';
import {ask, sandboxWith} from './asking.js';

const filters = '/api/v2/filters';

const create = (sandbox: Sandbox, keyword: string, more: object = {}) =>
  ask(sandbox, `POST ${filters}`, {
    json: {title: keyword, context: ['home'], keywords_attributes: [{keyword, whole_word: true}], ...more},
  });

const update = (sandbox: Sandbox, id: string, json: object) => ask(sandbox, `PUT ${filters}/${id}`, {json});

afterEach(() => {
  vi.useRealTimers();
});

describe('filters', () => {
  test('filters keep fields that an update leaves out', async () => {
    const sandbox = await sandboxWith({seed: 'empty'});
    const {body: before} = await create(sandbox, 'word', {filter_action: 'blur', expires_in: 3600});
    const {body: after} = await update(sandbox, before.id, {
      title: 'New',
      keywords_attributes: [{id: before.keywords[0].id}],
    });
    expect(after).toEqual({...before, title: 'New'});
  });

  test('of the seed are listed after new ones, even in the second in which the sandbox starts', async () => {
    vi.useFakeTimers({toFake: ['Date']});
    const sandbox = await sandboxWith({seed: {accounts: [{acct: 'ana'}], filters: [{title: 'Old', context: ['home'], keywords: []}]}});
    await create(sandbox, 'new');
    const {body} = await ask(sandbox, `GET ${filters}`);
    expect(body.map(({title}: {title: string}) => title)).toEqual(['new', 'Old']);
  });

  test('expire, and never again with 0', async () => {
    const sandbox = await sandboxWith({seed: 'empty'});
    vi.useFakeTimers({toFake: ['Date']});
    const {body} = await create(sandbox, 'word', {expires_in: 60});
    vi.setSystemTime(Date.now() + 61_000);
    expect((await ask(sandbox, `GET ${filters}`)).body).toEqual([]);
    expect((await ask(sandbox, `GET ${filters}/${body.id}`)).status).toBe(200);
    expect((await update(sandbox, body.id, {expires_in: 0, keywords_attributes: [{id: 1}]})).body.expires_at).toBeNull();
    expect((await ask(sandbox, `GET ${filters}`)).body).toHaveLength(1);
  });

  test('change keywords one by one, and change nothing when one is refused', async () => {
    const sandbox = await sandboxWith({seed: 'empty'});
    await create(sandbox, 'taken');
    const {body: before} = await create(sandbox, 'first');
    const id = before.keywords[0].id;
    const refused = await update(sandbox, before.id, {keywords_attributes: [{id, _destroy: true}, {keyword: 'Taken'}]});
    expect(refused).toMatchObject({
      status: 422,
      body: {error: 'Duplicate keywords found', message: 'The following keywords already exist: taken'},
    });
    expect((await ask(sandbox, `GET ${filters}/${before.id}`)).body).toEqual(before);
    const changed = await update(sandbox, before.id, {
      keywords_attributes: [{id, keyword: 'Second', whole_word: false}, {keyword: 'third'}, {keyword: 'third'}],
    });
    expect(changed.body.keywords).toEqual([
      {id, keyword: 'second', whole_word: false},
      {id: expect.any(Number), keyword: 'third', whole_word: true},
    ]);
  });

  test('filters are limited to 10 keywords; deletions make room for later additions', async () => {
    const sandbox = await sandboxWith({seed: 'empty'});
    const ten = Array.from({length: 10}, (_, index) => ({keyword: `k${index}`, whole_word: true}));
    const {body} = await create(sandbox, 'x', {keywords_attributes: ten});
    const [{id}] = body.keywords;
    const add = {keyword: 'eleventh'};
    const remove = {id, _destroy: true};
    expect((await update(sandbox, body.id, {keywords_attributes: [add, remove]})).status).toBe(422);
    expect((await update(sandbox, body.id, {keywords_attributes: [remove, add]})).status).toBe(200);
  });
});
