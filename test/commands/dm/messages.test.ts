import {listMessages} from '../../../src/lib/api/direct.js';
import {describe, expect, test} from 'vitest';
import {formatAnswer} from '../../lib/print/setting.js';
import {pixelfed, runCommand} from '../../run-command.js';

const path = '/api/v1.1/direct/conversations/5';
const message = (id: string, sender: string, text: string) => ({
  id,
  sender_id: sender,
  is_author: sender === '1',
  type: 'text',
  text,
  created_at: '2026-05-01T10:00:00.000Z',
});
const page = {
  data: [message('102', '7', 'Hi'), message('101', '1', 'Hello'), message('100', '8', 'Gone')],
  meta: {has_more: false, newest_id: '102', oldest_id: '100'},
};
const participants = [{id: '7', acct: 'bob'}, null, {id: 8}, 'x'];

const conversation = () => pixelfed().get(path);
const messages = (times = 1) => pixelfed().get(`${path}/messages`).times(times).reply(200, page);
const senders = (stdout: string) =>
  stdout
    .split('\n')
    .slice(1, -1)
    .map((line) => line.split(/ {2,}/)[1]);

describe('dm messages', () => {
  test('shows the names of senders, or the id of an unknown sender', async () => {
    conversation().reply(200, {id: '5', participants});
    messages();
    const {status, stdout} = await runCommand(['dm', 'messages', '5']);
    expect({status, senders: senders(stdout)}).toEqual({status: 0, senders: ['@bob', 'you', '8']});
  });

  test('shows the names on every page with one request', async () => {
    conversation().reply(200, {id: '5', participants});
    pixelfed()
      .get(`${path}/messages`)
      .reply(200, {...page, meta: {...page.meta, has_more: true}});
    pixelfed()
      .get(`${path}/messages`)
      .query({max_id: '100'})
      .reply(200, {...page, data: [message('99', '7', 'First')]});
    expect(senders((await runCommand(['dm', 'messages', '5', '--all'])).stdout)).toEqual(['@bob', 'you', '8', '@bob']);
  });

  test.each([
    ['is refused', (server: ReturnType<typeof conversation>) => server.reply(404, {error: ''})],
    ['is another thing', (server: ReturnType<typeof conversation>) => server.reply(200, '"x"')],
    ['has no participants', (server: ReturnType<typeof conversation>) => server.reply(200, {participants: 'x'})],
  ])('shows ids when the conversation %s', async (_, reply) => {
    reply(conversation());
    messages();
    expect(senders((await runCommand(['dm', 'messages', '5'])).stdout)).toEqual(['7', 'you', '8']);
  });

  test.each([['--json'], ['-o', 'ndjson'], ['-o', 'csv'], ['--jq', '.'], ['--fields', 'sender_id']])(
    'requests no names with %s %s',
    async (...flags) => {
      messages();
      expect((await runCommand(['dm', 'messages', '5', ...flags])).status).toBe(0);
    },
  );
});

describe('a table of messages', () => {
  const long = 'It is a sentence of fifty letters, counted by hand.';
  const text = JSON.stringify({data: [{...message('1029249434912194609', '7', long), in_reply_to_id: '1029249434912194608'}]});
  const now = () => new Date('2026-05-01T11:00:00Z');
  const names = new Map([['7', '@photographer@pix.example']]);
  const printed = async (width: number) =>
    (
      await formatAnswer(text, {
        format: 'table',
        view: listMessages.view,
        rows: ['data'],
        terminal: {isTerminal: true, width, color: false},
        now,
        names,
      })
    ).stdout;

  test.each([
    [100, 40],
    [80, 28],
  ])('gives most of %d columns to the text', async (width, least) => {
    const [header = '', row = ''] = (await printed(width)).split('\n');
    expect(header).toMatch(/^id +from +(sent +)?message$/);
    expect(row.length).toBeLessThanOrEqual(width);
    expect(width - row.indexOf('It is')).toBeGreaterThanOrEqual(least);
  });

  test('shows all columns at 200 columns', async () => {
    expect((await printed(200)).split('\n')[0]?.split(/ {2,}/)).toEqual(['id', 'from', 'sent', 'files', 'reply to', 'message']);
  });
});
