/** A server on loopback in a process of its own that answers every request at once, with its argument if it has one. Sends its port to its parent, and ends with it. */
import {createServer} from 'node:http';

const conversation = {id: '5', state: 'active', muted: true, hidden: false, unread_count: 0, last_read_message_id: null};
const body = process.argv[2] ?? JSON.stringify(conversation);
const headers = {'content-type': 'application/json', 'content-length': body.length};

const server = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200, headers).end(body));
});
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('disconnect', () => process.exit());
