import {account, conversation, message} from '../demo-world.js';
import {alike, limits, since2026, type Expectation, type Sent} from './row.js';

const conversations = '/api/v1.1/direct/conversations';
const withBob = conversation('bob').id;
const withSly = conversation('sly').id;
const group = conversation('bob', 'clara', 'eiko').id;
const hidden = conversation('lena').id;
const mine = message('Ah.');

/** A command that takes one conversation, and the request of the same name. */
const action = (verb: string, id: string, shows: readonly string[], ...flags: readonly string[]): Expectation =>
  since2026(`dm ${verb}`, {
    args: ['dm', verb, id, ...flags],
    sent: [{line: `POST ${conversations}/${id}/${verb}`}],
    shows: [`id         ${id}`, ...shows],
  });

const uploaded: Sent = {line: 'POST /api/v2/media', form: {file: 'harbour.jpg image/jpeg 20'}};

export const conversationRows: readonly Expectation[] = [
  since2026('dm unread-count', {
    args: ['dm', 'unread-count'],
    sent: [{line: 'GET /api/v1.1/direct/unread_count'}],
    shows: ['primary   2', 'requests  1'],
  }),
  since2026('dm list', {
    args: ['dm', 'list', '--filter', 'primary', '--limit', '2'],
    sent: [{line: `GET ${conversations}?filter=primary&limit=2`}],
    shows: ['last message', withBob, '@bob, @clara, @eiko', 'Shall I bring the next one on Saturday?'],
  }),
  since2026('dm start', {
    args: ['dm', 'start', account('ivo'), account('juno')],
    sent: [limits, {line: `POST ${conversations}`, json: {recipient_ids: [account('ivo'), account('juno')]}}],
    shows: ['group', '@ivo, @juno'],
  }),
  since2026('dm get', {
    args: ['dm', 'get', withSly],
    sent: [{line: `GET ${conversations}/${withSly}`}],
    shows: ['@sly', 'request', String.raw`You have won! ␛[2J␛[H Open \u202egnp.exe`],
  }),
  since2026('dm messages', {
    args: ['dm', 'messages', withBob, '--limit', '3', '--max-id', mine],
    sentForPeople: [`GET ${conversations}/${withBob}`],
    sent: [{line: `GET ${conversations}/${withBob}/messages?limit=3&max_id=${mine}`}],
    shows: ['A black dog, to be clear.', 'What did you meter on?', 'you', '@bob'],
  }),
  since2026('dm send', {
    args: ['dm', 'send', withBob, 'Low tide 🌊', '--media', 'harbour.jpg', '--in-reply-to', mine, '--sensitive'],
    sent: [
      limits,
      uploaded,
      {
        line: `POST ${conversations}/${withBob}/messages`,
        json: {message: 'Low tide 🌊', media_ids: ['5'], in_reply_to_id: mine, sensitive: true},
      },
    ],
    shows: ['sensitive     yes', 'Low tide 🌊 [photo]', '5   image'],
  }),
  since2026('dm delete-message', {
    args: ['dm', 'delete-message', withBob, mine, '--yes'],
    sent: [{line: `DELETE ${conversations}/${withBob}/messages/${mine}`}],
    shows: [],
    says: `Deleted message ${mine}.\n`,
  }),
  since2026('dm read', {
    args: ['dm', 'read', withBob, '--message-id', mine],
    sent: [{line: `POST ${conversations}/${withBob}/read`, json: {message_id: mine}}],
    shows: [withBob, 'unread     2'],
  }),
  action('accept', withSly, ['state      active']),
  action('mute', withBob, ['muted      yes']),
  action('unmute', withBob, ['muted      no']),
  action('hide', withBob, ['hidden     yes']),
  action('unhide', hidden, ['hidden     no']),
  action('leave', group, ['state      left'], '--yes'),
  alike('dm mutuals', {
    args: ['dm', 'mutuals', '--cursor', '1029249417440595971'],
    sent: [{line: 'GET /api/v1.1/direct/compose/mutuals?cursor=1029249417440595971'}],
    shows: ['followers', '@eiko', '映子 🌸'],
  }),
  alike('dm lookup', {
    args: ['dm', 'lookup', 'pixel.example', '--native', '--remote'],
    sent: [{line: 'POST /api/v1.1/direct/lookup?_pe=1', json: {q: 'pixel.example', remote: true}}],
    shows: ['@marie@pixel.example.fr', 'another'],
  }),
];
