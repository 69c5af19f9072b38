/** Every command, against a server that lies about who one is: no other host's account is named, and nothing is sent for a name that is none. */
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {pairwiseSampler, sampledBy} from '../contract/sample.js';
import {startSandbox} from '../sandbox/start.js';
import {sandboxToken} from '../endpoints/table.js';
import {writeFiles} from './every-command.js';
import {subjects, type Subject} from './faults/subjects.js';
import {run} from './in-process.js';
import {newFolder, type Ended} from './program.js';
import {pass, serverThat, type Answered, type Received, type RecordingServer} from './server.js';

const whoAmI = '/api/v1/accounts/verify_credentials';

let answerNow: (received: Received) => Promise<Answered>;
let server: RecordingServer;
/** The commands that ask who one is, of all that there are. */
const asking: Subject[] = [];
let tried: readonly {readonly subject: Subject; readonly lie: (typeof lies)[number]}[] | undefined;
beforeAll(async () => {
  server = await serverThat((received) => answerNow(received));
  for (const subject of subjects) if ((await liedTo(subject, {})).isAsked) asking.push(subject);
  expect(asking.length).toBeGreaterThan(5);
});
afterAll(() => server[Symbol.asyncDispose]());

interface Lied {
  readonly ended: Ended;
  /** Whether the command asked who one is. */
  readonly isAsked: boolean;
  /** What came afterwards that is no read. */
  readonly writes: readonly string[];
}

async function liedTo({args, stdin = ''}: Subject, lie: object): Promise<Lied> {
  const sandbox = await startSandbox();
  const folder = newFolder();
  writeFiles(folder);
  writeFileSync(join(folder, 'harbour.jpg'), Buffer.from([0xff, 0xd8, 0xff, 0xe0]));
  let isAsked = false;
  const writes: string[] = [];
  answerNow = async (received) => {
    const {method, target} = received;
    const answered = await pass(received, sandbox.url);
    if (target.split('?')[0] === whoAmI) {
      isAsked = true;
      return {...answered, text: JSON.stringify({...JSON.parse(answered.text), ...lie})};
    }
    if (isAsked && method !== 'GET') writes.push(`${method} ${target}`);
    return answered;
  };
  try {
    const env = {PIXELCTL_SERVER: server.url, PIXELCTL_TOKEN: sandboxToken(args), PIXELCTL_STORAGE: 'file', BROWSER: 'true'};
    return {ended: await run([...args], {env, folder, stdin}), isAsked, writes};
  } finally {
    await sandbox.close();
  }
}

const lies: readonly (readonly [string, object, 'told' | 'refused'])[] = [
  ['an account of another host', {acct: 'ana@evil.example'}, 'told'],
  ['two hosts', {acct: 'ana@evil.example@more.example'}, 'told'],
  ['no name', {acct: ''}, 'refused'],
  ['a name with a space', {acct: 'a na'}, 'refused'],
  ['a name that steers', {acct: '\u202eana'}, 'refused'],
  ['half of a character', {acct: 'ana\ud83d'}, 'refused'],
  ['a list', {acct: ['ana']}, 'refused'],
  ['nothing', {acct: null}, 'refused'],
];

/** Each command with a lie that is told and one that is refused, and each lie with a command that reads and one that writes. */
const sample = pairwiseSampler<{readonly subject: Subject; readonly lie: (typeof lies)[number]}>(({subject, lie}) => [
  `${subject.command}: ${lie[2]}`,
  ...['read', 'write'].flatMap((kind) => (subject.kind.includes(kind) ? [`${lie[0]} of a ${kind}`] : [])),
]);

describe.each(lies)('a server that answers who one is with %s', (name, lie, becomes) => {
  test('does not decide for whom a command acts', async () => {
    const complaints: string[] = [];
    const cases = asking.flatMap((subject) => lies.map((one) => ({subject, lie: one})));
    tried ??= sample(cases);
    for (const {subject} of tried.filter((one) => one.lie[0] === name)) {
      const {ended, writes} = await liedTo(subject, lie);
      const {status, stdout, stderr} = ended;
      const complain = (isWrong: boolean, what: string) =>
        void (isWrong && complaints.push(`${subject.command} ${what}: ${stdout}${stderr}`.slice(0, 400)));
      complain(status === 1, 'ends with an internal error');
      if (becomes === 'told')
        complain(subject.command !== 'api' && /(?:evil|more)\.example/.test(`${stdout}${stderr}`), 'names the account of another host');
      else complain(writes.length > 0, `sends ${writes.join()}`);
    }
    expect(complaints, sampledBy).toEqual([]);
  });
});
