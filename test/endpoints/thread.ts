import {fileURLToPath} from 'node:url';
import * as thread from '../../src/lib/api/thread.js';
import {account, message} from '../e2e/demo-world.js';
import * as examples from './examples.js';
import {alike, limits, made, row, type Row, type Sent} from './row.js';

const path = '/api/v1.1/direct/thread';
const pid = '1029249417440595971';
const sid = '1029250200562937884';
const photo = fileURLToPath(new URL('photo.jpg', import.meta.url));

const bob = account('bob');
const mine = message('Ah.');
const bobs = message('Overexposed.');
const newest = message('Shall I bring the next one on Saturday?');
const muted: Sent = {line: `POST ${path}/mute`, json: {id: bob}};

export const rows: readonly Row[] = [
  row('thread get', thread.getThread, {
    answer: examples.thread,
    takes: 'PID | --max-id --min-id',
    required: {query: ['pid']},
    requests: [
      {input: {query: {pid, max_id: '9', min_id: '2'}}, sends: `GET ${path}?pid=${pid}&max_id=9&min_id=2`},
      {input: {query: {pid}}, sends: `GET ${path}?pid=${pid}`},
    ],
    anyType: ['messages.*.media'],
    ...alike({
      args: ['thread', 'get', bob, '--max-id', mine],
      sent: [{line: `GET ${path}?pid=${bob}&max_id=${mine}`}],
      shows: ['with', '@bob', 'A black dog, to be clear.'],
    }),
  }),
  row('thread send', thread.sendThreadMessage, {
    answer: examples.legacyMessage,
    takes: 'PID MESSAGE | --type --input',
    required: {body: ['to_id', 'message', 'type']},
    requests: [{input: {body: {to_id: pid, message: 'Hello', type: 'text'}}, sends: `POST ${path}/send`}],
    anyType: ['media'],
    ...alike({
      args: ['thread', 'send', bob, '-', '--type', 'emoji'],
      stdin: '🌊\n',
      sent: [limits, {line: `POST ${path}/send`, json: {to_id: bob, message: '🌊', type: 'emoji'}}],
      shows: ['report id', '🌊'],
      says: `Sent message ${made} to account ${bob}.\n`,
    }),
  }),
  row('thread send-media', thread.sendThreadMedia, {
    answer: {id: examples.legacyMessage.id, reportId: examples.legacyMessage.reportId, type: 'photo', url: examples.photo},
    takes: 'PID FILE | --message --input',
    required: {body: ['file', 'to_id']},
    requests: [
      {
        input: {body: {file: photo, to_id: pid, message: 'Grüße 👋'}},
        sends: `POST ${path}/media`,
        form: [
          ['file', 'photo.jpg image/jpeg'],
          ['to_id', '1029249417440595971'],
          ['message', 'Grüße 👋'],
        ],
      },
      {
        input: {body: {file: photo, to_id: pid}},
        sends: `POST ${path}/media`,
        form: [
          ['file', 'photo.jpg image/jpeg'],
          ['to_id', '1029249417440595971'],
        ],
      },
    ],
    ...alike({
      args: ['thread', 'send-media', bob, 'harbour.jpg', '--message', 'Low tide'],
      sent: [limits, {line: `POST ${path}/media`, form: {file: 'harbour.jpg image/jpeg 20', to_id: bob, message: 'Low tide'}}],
      shows: ['reportId', 'photo', '.jpeg'],
      says: `Sent message ${made} to account ${bob}.\n`,
    }),
  }),
  row('thread read', thread.readThread, {
    answer: [examples.legacyMessage.reportId],
    takes: 'PID SID | --input',
    required: {body: ['pid', 'sid']},
    requests: [{input: {body: {pid, sid}}, sends: `POST ${path}/read`}],
    ...alike(
      {
        args: ['thread', 'read', bob, bobs],
        sent: [{line: `POST ${path}/read`, json: {pid: bob, sid: bobs}}],
        shows: ['value\n', `\n${newest}\n`],
        says: `Marked 2 messages of account ${bob} as read.\n`,
      },
      {shows: ['value\n10\n11\n13\n'], says: `Marked 6 messages of account ${bob} as read.\n`},
    ),
  }),
  row('thread delete-message', thread.deleteThreadMessage, {
    answer: [200],
    takes: 'ID... | --input',
    asks: true,
    required: {body: ['id']},
    requests: [{input: {body: {id: sid}}, sends: `DELETE ${path}/message`}],
    ...alike({
      args: ['thread', 'delete-message', mine, '--yes'],
      sent: [{line: `DELETE ${path}/message`, json: {id: mine}}],
      shows: [],
      says: `Deleted message ${mine}.\n`,
    }),
  }),
  row('thread mute', thread.muteThread, {
    answer: [200],
    takes: 'PID... | --input',
    required: {body: ['id']},
    requests: [{input: {body: {id: pid}}, sends: `POST ${path}/mute`}],
    ...alike({
      args: ['thread', 'mute', bob],
      sent: [muted],
      shows: [],
      says: `Sent the request to mute the thread with account ${bob}.\n`,
    }),
  }),
  row('thread unmute', thread.unmuteThread, {
    answer: [200],
    takes: 'PID... | --input',
    required: {body: ['id']},
    requests: [{input: {body: {id: pid}}, sends: `POST ${path}/unmute`}],
    ...alike({
      args: ['thread', 'unmute', bob],
      before: [muted],
      sent: [{line: `POST ${path}/unmute`, json: {id: bob}}],
      shows: [],
      says: `Sent the request to unmute the thread with account ${bob}.\n`,
    }),
  }),
];
