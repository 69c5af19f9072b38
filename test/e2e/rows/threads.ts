import {account, message} from '../demo-world.js';
import {alike, limits, type Expectation, type Sent} from './row.js';

const thread = '/api/v1.1/direct/thread';
const bob = account('bob');
const mine = message('Ah.');
const bobs = message('Overexposed.');
const newest = message('Shall I bring the next one on Saturday?');

const muted: Sent = {line: `POST ${thread}/mute`, json: {id: bob}};

export const threadRows: readonly Expectation[] = [
  alike('thread get', {
    args: ['thread', 'get', bob, '--max-id', mine],
    sent: [{line: `GET ${thread}?pid=${bob}&max_id=${mine}`}],
    shows: ['with', '@bob', 'A black dog, to be clear.'],
  }),
  alike('thread send', {
    args: ['thread', 'send', bob, '-', '--type', 'emoji'],
    stdin: '🌊\n',
    sent: [limits, {line: `POST ${thread}/send`, json: {to_id: bob, message: '🌊', type: 'emoji'}}],
    shows: ['report id', '🌊'],
  }),
  alike('thread send-media', {
    args: ['thread', 'send-media', bob, 'harbour.jpg', '--message', 'Low tide'],
    sent: [limits, {line: `POST ${thread}/media`, form: {file: 'harbour.jpg image/jpeg 20', to_id: bob, message: 'Low tide'}}],
    shows: ['reportId', 'photo', '.jpeg'],
  }),
  alike(
    'thread read',
    {
      args: ['thread', 'read', bob, bobs],
      sent: [{line: `POST ${thread}/read`, json: {pid: bob, sid: bobs}}],
      shows: ['value\n', `\n${newest}\n`],
    },
    {shows: ['value\n10\n11\n13\n']},
  ),
  alike('thread delete-message', {
    args: ['thread', 'delete-message', mine, '--yes'],
    sent: [{line: `DELETE ${thread}/message`, json: {id: mine}}],
    shows: [],
    says: `Deleted message ${mine}.\n`,
  }),
  alike('thread mute', {
    args: ['thread', 'mute', bob],
    sent: [muted],
    shows: [],
    says: `Sent the request to mute the thread with ${bob}.\n`,
  }),
  alike('thread unmute', {
    args: ['thread', 'unmute', bob],
    before: [muted],
    sent: [{line: `POST ${thread}/unmute`, json: {id: bob}}],
    shows: [],
    says: `Sent the request to unmute the thread with ${bob}.\n`,
  }),
];
