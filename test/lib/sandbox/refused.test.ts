/** How the sandbox reads odd requests. */
import {expect, test} from 'vitest';
import {ask, sandboxWith, type Asking} from './asking.js';

test.each<[what: string, asking: Asking]>([
  ['broken JSON', {form: '{', headers: {'content-type': 'application/json'}}],
  ['JSON that is no object', {json: 'bob'}],
  ['a broken multipart body', {form: 'x', headers: {'content-type': 'multipart/form-data; boundary=y'}}],
])('a request is read as if nothing was sent, where it has %s', async (_, asking) => {
  const {status, body} = await ask(await sandboxWith(), 'POST /api/v1/domain_blocks', asking);
  expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['domain']]);
});
