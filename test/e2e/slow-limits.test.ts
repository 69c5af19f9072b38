import {expect, test, vi} from 'vitest';
import {maxAskingTime} from '../../src/lib/operations/limits.js';
import {holdTimeOuts, json, startServer, type Reply} from '../loopback-server.js';
import {runCommand} from '../run-command.js';

const message = {id: '9', conversation_id: '5', text: 'Hi'};
const html: Reply = (response) => response.writeHead(200, {'content-type': 'text/html'}).end('<!doctype html>');

test.each([
  ['does not come in two seconds', () => vi.advanceTimersByTime(maxAskingTime)],
  ['is a web page', html],
  ['is an error', json({error: 'Server Error'}, 500)],
  ['is to come later', json({error: 'Too Many Attempts.'}, 429, {'retry-after': '30'})],
])('a command goes on when the answer about the limits %s', async (_, reply) => {
  const server = await startServer(reply, json(message, 201));
  holdTimeOuts();
  const {status, stdout, stderr} = await runCommand(['dm', 'send', '5', 'Hi', '--json'], {
    environment: {PIXELCTL_SERVER: server.url.href},
  });
  expect({status, stdout, stderr}).toEqual({status: 0, stdout: `${JSON.stringify(message)}\n`, stderr: ''});
  expect(server.received.map(({method, target}) => `${method} ${target}`)).toEqual([
    'GET /api/v2.1/config',
    'POST /api/v1.1/direct/conversations/5/messages',
  ]);
});
