/** Many writes at a time, beside a bare undici loop that sends the same in the same run. */
import {fork} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {performance} from 'node:perf_hooks';
import {Agent} from 'undici';
import {Journal} from '../../dist/lib/run/journal.js';
import {Run} from '../../dist/lib/run/run.js';
import {createClient, muteConversation} from '../../dist/lib/client/index.js';
import {root} from '../root.js';

const writes = 5000;
const concurrency = 16;
const warmUps = 2;
const token = 'token-of-the-bench';

/** @returns the name, the milliseconds and the milliseconds of processor time of every way to send the writes, the bare loop first */
export async function benchWrites(rounds) {
  const server = fork(join(root, 'scripts/bench/server.js'));
  const [port] = await once(server, 'message');
  const origin = `http://127.0.0.1:${port}`;
  const folder = mkdtempSync(join(tmpdir(), 'pixelctl-bench-'));
  const agent = new Agent();
  const client = createClient({server: new URL(origin), token: async () => token});
  const ways = [
    {name: 'bare undici', send: () => bareLoop(agent, origin)},
    {name: 'no journal', send: () => finish(client)},
    {name: 'with a journal', send: () => journaled(client, origin, join(folder, 'journal'))},
  ].map((way) => ({...way, times: [], cpu: []}));
  try {
    for (let round = -warmUps; round < rounds; round += 1) {
      for (const {send, times, cpu} of ways) {
        const [start, used] = [performance.now(), process.cpuUsage()];
        await send();
        const {user, system} = process.cpuUsage(used);
        if (round < 0) continue;
        times.push(performance.now() - start);
        cpu.push((user + system) / 1000);
      }
    }
  } finally {
    await client.close();
    await agent.close();
    server.disconnect();
    rmSync(folder, {recursive: true});
  }
  return ways.map(({name, times, cpu}) => ({name, times, cpu}));
}

async function bareLoop(agent, origin) {
  const headers = {accept: 'application/json', authorization: `Bearer ${token}`};
  let next = 0;
  const worker = async () => {
    while (next < writes) {
      const path = `/api/v1.1/direct/conversations/${next++}/mute`;
      const {body} = await agent.request({origin, path, method: 'POST', headers});
      await body.json();
    }
  };
  await Promise.all(Array.from({length: concurrency}, worker));
}

async function finish(client, journal) {
  const steps = Array.from({length: writes}, (_, index) => ({
    target: String(index),
    repeat: 'harmless',
    run: () => client.call(muteConversation, {path: {id: String(index)}}),
  }));
  const run = new Run(steps, {concurrency, total: writes, keepTurn: () => client.keepTurn(), journal});
  let done = 0;
  for await (const {kind} of run) if (kind === 'done') done += 1;
  if (done !== writes) throw new Error(`${writes - done} writes failed`);
}

async function journaled(client, server, path) {
  rmSync(path, {force: true});
  const identity = {command: 'bench', server, account: null, input: '', targets: writes};
  const journal = await Journal.open(path, identity, {redact: (text) => text});
  try {
    await finish(client, journal);
    await journal.end();
  } finally {
    await journal[Symbol.asyncDispose]();
  }
}
