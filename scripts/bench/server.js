/**
 * A server on loopback in a process of its own that answers every request at once, with its first argument if it has one, and
 * some paths with what its second one has for them, an object as JSON. Sends its port to its parent, and ends with it.
 */
import {createServer} from 'node:http';

const conversation = {id: '5', state: 'active', muted: true, hidden: false, unread_count: 0, last_read_message_id: null};
const body = process.argv[2] ?? JSON.stringify(conversation);
const bodies = JSON.parse(process.argv[3] ?? '{}');

const server = createServer((request, response) => {
  const text = bodies[request.url] ?? body;
  const headers = {'content-type': 'application/json', 'content-length': text.length};
  request.resume().on('end', () => response.writeHead(200, headers).end(text));
});
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('disconnect', () => process.exit());
