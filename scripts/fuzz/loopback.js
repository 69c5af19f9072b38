/** A server for clients that a parser needs: it answers whatever the parser says, and keeps what it was asked. */
import {once} from 'node:events';
import {createServer} from 'node:http';

/** One for the thread, which it does not keep alive. */
let started;

/** What it answers, until a parser says something else. */
let answer = () => ({status: 404, text: '{}'});
let asked = [];

async function start() {
  const server = createServer((request, response) => {
    const {method, url, headers} = request;
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      asked.push({line: `${method} ${url}`, headers, body});
      const {status = 200, text, type = 'application/json'} = answer(`${method} ${url.split('?')[0]}`);
      response.writeHead(status, {'content-type': type}).end(text);
    });
  });
  server.unref();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return new URL(`http://127.0.0.1:${server.address().port}`);
}

/**
 * @param {(line: string) => {status?: number, text: string | Buffer, type?: string}} answers to a method and a path
 * @returns {Promise<{server: URL, asked: readonly {line: string, headers: Readonly<Record<string, string>>, body: string}[]}>}
 */
export async function serverThat(answers) {
  const server = await (started ??= start());
  answer = answers;
  asked = [];
  return {server, asked};
}
