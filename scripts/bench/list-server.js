/** A server on loopback in a process of its own, with a list of conversations. Its argument is their number. */
import {createServer} from 'node:http';

const rows = Number(process.argv[2]);
const pageSize = 40;

const account = {
  id: '42',
  username: 'ben',
  acct: 'ben',
  display_name: 'Ben of the Harbour',
  avatar: 'https://far.example/storage/avatars/42.jpg',
  local: false,
  locked: false,
  url: 'https://far.example/ben',
};
const message = {
  id: '9007199254740993',
  conversation_id: '1',
  sender_id: '42',
  is_author: false,
  type: 'text',
  text: 'See you at the harbour, then.',
  media: [],
  meta: null,
  sensitive: false,
  in_reply_to_id: null,
  created_at: '2026-05-01T10:00:00.000Z',
  edited_at: null,
};
const rest = {
  type: 'dm',
  name: null,
  state: 'active',
  muted: false,
  hidden: false,
  unread_count: 1,
  last_read_message_id: null,
  participants: [account],
  participant_count: 2,
  last_message: message,
  created_at: '2026-05-01T10:00:00.000Z',
  updated_at: '2026-05-01T10:00:00.000Z',
};
const restOfRow = `",${JSON.stringify(rest).slice(1)}`;

function page(first) {
  const last = Math.min(first + pageSize, rows);
  let data = '';
  for (let row = first; row < last; row += 1) data += `${row === first ? '' : ','}{"id":"${1_000_000_000 - row}${restOfRow}`;
  const next = last < rows ? `"${last}"` : 'null';
  return `{"data":[${data}],"meta":{"filter":"primary","next_cursor":${next},"prev_cursor":null}}`;
}

const server = createServer(({url}, response) => {
  const body = page(Number(/[?&]cursor=(\d+)/.exec(url)?.[1] ?? 0));
  response.writeHead(200, {'content-type': 'application/json', 'content-length': body.length}).end(body);
});
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('disconnect', () => process.exit());
