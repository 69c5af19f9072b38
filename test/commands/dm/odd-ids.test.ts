/** Ids of conversations that can be in no request are a mistake of the server, not of the person. */
import {tmpdir} from 'node:os';
import {mkdtempSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {expectFailure, pixelfed, runCommand, serverWithNothing} from '../../run-command.js';

const page = {data: [{id: '5\ud83d', participants: [{id: '7', acct: 'sly'}]}], meta: {has_more: false}};

test('dm export: a conversation without a valid id is a bad answer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pixelctl-odd-ids-'));
  pixelfed().get('/api/v1.1/direct/conversations').query(true).reply(200, page);
  serverWithNothing();
  const {status, stderr} = await runCommand(['dm', 'export', '--to', join(folder, 'messages')]);
  rmSync(folder, {recursive: true});
  expect({status, stderr}).toEqual({status: 8, stderr: expect.stringContaining('a conversation has no id')});
});

test('dm triage: a request without a valid id is a bad answer, and nothing is asked', async () => {
  pixelfed().get('/api/v1.1/direct/conversations').query(true).reply(200, page);
  pixelfed().get('/api/v1.1/direct/unread_count').reply(200, {requests: 1});
  await expectFailure(8, 'the response does not name the conversation', ['dm', 'triage'], {typing: 'q\r'});
});
