import {describe, expect, test} from 'vitest';
import {nest} from '../../../src/lib/sandbox/received-request.js';
import {ask, sandboxWith, type Asking} from './asking.js';

const create = 'POST /api/v2/filters';

describe('the input of a request', () => {
  test('the input of a request can have maps where lists are meant', async () => {
    const json = {title: 'Crypto', context: {first: 'home'}, keywords_attributes: {first: {keyword: 'bitcoin', whole_word: false}}};
    const {body} = await ask(await sandboxWith({seed: 'empty'}), create, {json});
    expect(body).toMatchObject({context: ['home'], keywords: [{keyword: 'bitcoin'}]});
    const many = Object.fromEntries(Array.from({length: 100}, (_, index) => [`name${index}`, String(index + 1)]));
    const refused = await ask(await sandboxWith({seed: 'empty'}), 'POST /api/v1.1/direct/conversations', {json: {recipient_ids: many}});
    expect([refused.status, String(refused.body.errors.recipient_ids)]).toEqual([422, expect.stringContaining('may not have more than')]);
  });

  test('the input of a request has names as PHP reads them', () => {
    const given = [
      ['a[5]', '1'],
      ['a[]', '2'],
      ['b[x][]', '3'],
      ['b[x][]', '4'],
      ['[c]', '5'],
      ['d[e', '6'],
    ] as const;
    expect(nest(given)).toEqual({a: {5: '1', 6: '2'}, b: {x: ['3', '4']}, '[c]': '5', d: '6'});
  });

  test('the input of a request is trimmed, and null when blank', async () => {
    const sandbox = await sandboxWith({seed: 'empty'});
    const keywords_attributes = [{keyword: ' Sea ', whole_word: true}];
    const named = await ask(sandbox, create, {json: {title: '  Beach ', context: ['home'], keywords_attributes}});
    const blank = await ask(sandbox, create, {json: {title: '   ', context: ['home'], keywords_attributes}});
    expect(named.body).toMatchObject({title: 'Beach', keywords: [{keyword: 'sea'}]});
    expect(blank.body.errors).toEqual({title: ['The title field is required.']});
  });

  test('keeps ids of any size that come as numbers', async () => {
    const sandbox = await sandboxWith();
    const bob = (await ask(sandbox, 'POST /api/v1.1/direct/lookup', {json: {q: 'bob'}})).body[0].id;
    const text = `{"recipient_ids":[${bob}]}`;
    const {status, body} = await ask(sandbox, 'POST /api/v1.1/direct/conversations', {
      form: text,
      headers: {'content-type': 'application/json'},
    });
    expect([status, body.participants[0].username]).toEqual([200, 'bob']);
  });

  test.each([16 * 1024 * 1024 - 1000, 16 * 1024 * 1024 + 1])('the input of a request is limited to %d bytes', async (size) => {
    const form = new FormData();
    form.set('file', new File([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(size)], 'x.jpg'));
    const {status, body} = await ask(await sandboxWith(), 'POST /api/v2/media', {form});
    if (size < 16 * 1024 * 1024) expect([status, Object.keys(body.errors)]).toEqual([422, ['file']]);
    else expect([status, body]).toEqual([413, {error: 'The POST data is too large.'}]);
  });

  test('the input of a request is refused when it is too large and has no content-length', async () => {
    const sandbox = await sandboxWith();
    const chunk = new Uint8Array(1024 * 1024);
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        sent += 1;
        if (sent > 18) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const init = {
      method: 'POST',
      body,
      duplex: 'half' as const,
      headers: {authorization: `Bearer ${sandbox.tokens.all}`, accept: 'application/json'},
    };
    expect((await fetch(`${sandbox.url}/api/v2/media`, init)).status).toBe(413);
  });

  test.each<[what: string, asking: Asking]>([
    ['broken JSON', {form: '{', headers: {'content-type': 'application/json'}}],
    ['JSON that is no object', {json: 'bob'}],
    ['a broken multipart body', {form: 'x', headers: {'content-type': 'multipart/form-data; boundary=y'}}],
  ])('the input of a request is none, where it has %s', async (_, asking) => {
    const {status, body} = await ask(await sandboxWith(), 'POST /api/v1/domain_blocks', asking);
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['domain']]);
  });
});
