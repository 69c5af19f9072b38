/**
 * A run that is there to be killed: node killed-run.js SERVER JOURNAL TARGETS CONCURRENCY
 * Of its targets every other one acts twice when it is sent twice.
 */
import {muteConversation, sendMessage} from '../../dist/lib/api/direct.js';
import {Journal} from '../../dist/lib/run/journal.js';
import {Run} from '../../dist/lib/run/run.js';
import {openClient} from '../../dist/lib/client/client.js';

const [server, path, targets, concurrency] = process.argv.slice(2);
const total = Number(targets);
const client = openClient({server: new URL(server), token: async () => 'token-of-the-test'});
const identity = {command: 'test', server, account: null, input: '', targets: total};
const steps = Array.from({length: total}, (_, index) => {
  const id = String(index);
  return index % 2 === 0
    ? {target: id, repeat: 'harmless', request: () => client.call(muteConversation, {path: {id}})}
    : {target: id, repeat: 'never', request: () => client.call(sendMessage, {path: {id}, body: {message: 'Hi'}})};
});

const journal = await Journal.open(path, identity, {redact: (text) => text});
const run = new Run(steps, {
  send: (request) => request(),
  concurrency: Number(concurrency),
  total: () => total,
  keepTurn: () => client.keepTurn(),
  journal,
});
for await (const result of run) process.stdout.write(`${JSON.stringify({target: result.target, kind: result.kind})}\n`);
await journal.end();
await journal[Symbol.asyncDispose]();
await client.close();
