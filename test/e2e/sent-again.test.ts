import {expect, test} from 'vitest';
import {parseFault} from '../../src/lib/sandbox/fault.js';
import {startSandbox} from '../sandbox/start.js';
import {account, conversation} from './demo-world.js';
import {run} from './in-process.js';
import {type Ended} from './program.js';

const withBob = conversation('bob').id;

/** Runs a command against a server with a fault; says how the server answered its requests, 0 for not at all. */
async function against(fault: string, args: readonly string[]): Promise<{ended: Ended; answers: number[]; inbox: () => Promise<string>}> {
  const answers: number[] = [];
  const sandbox = await startSandbox({faults: [parseFault(fault)], onRequest: ({status}) => answers.push(status)});
  const env = {PIXELCTL_SERVER: sandbox.url, PIXELCTL_TOKEN: sandbox.tokens.all};
  const ended = await run(args, {env});
  const told = [...answers];
  const inbox = async (): Promise<string> => {
    const {stdout} = await run(['dm', 'messages', withBob], {env});
    await sandbox.close();
    return stdout;
  };
  return {ended, answers: told, inbox};
}

const times = (text: string, word: string): number => text.split(word).length - 1;

test.concurrent('a read is retried after a server error', async () => {
  const {ended, answers} = await against('status=503,times=2', ['blocks', 'list']);
  expect({status: ended.status, stderr: ended.stderr, answers}).toEqual({status: 0, stderr: '', answers: [503, 503, 200]});
});

test.concurrent('a repeatable write is retried after a lost connection', async () => {
  const {ended, answers} = await against('drop=after,times=1', ['dm', 'mute', withBob]);
  expect({status: ended.status, answers}).toEqual({status: 0, answers: [0, 200]});
});

test.concurrent('a message is retried after a 429', async () => {
  const {ended, answers, inbox} = await against('rate-limit=1,times=1', ['dm', 'send', withBob, 'Low tide', '--no-limits']);
  expect({status: ended.status, answers}).toEqual({status: 0, answers: [429, 201]});
  expect(times(await inbox(), 'Low tide')).toBe(1);
});

test.concurrent.each(['drop=after', 'status=504', 'truncate'])('a message that may have arrived is not retried: %s', async (fault) => {
  const {ended, answers, inbox} = await against(`${fault},at="send message",times=1`, ['dm', 'send', withBob, 'Low tide', '--no-limits']);
  expect(ended.status).toBe(fault === 'truncate' ? 8 : 7);
  expect(ended.stderr).toContain('it is not known whether this was carried out');
  expect(answers).toHaveLength(1);
  expect(times(await inbox(), 'Low tide')).toBe(fault === 'status=504' ? 0 : 1);
});

test.concurrent('a report is not retried', async () => {
  const {ended, answers} = await against('drop=after', ['report', 'user', account('sly'), '--type', 'scam']);
  expect({status: ended.status, answers}).toEqual({status: 7, answers: [0]});
});

test.concurrent('--retries 0 retries nothing', async () => {
  const {ended, answers} = await against('status=502', ['blocks', 'list', '--retries', '0']);
  expect({status: ended.status, answers}).toEqual({status: 7, answers: [502]});
});
