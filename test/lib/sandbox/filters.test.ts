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
});
