/** What every command prints for people, at terminals of four widths: from a friendly server, and from one whose every text is long and hostile. */
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import stringWidth from 'string-width';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {startSandbox} from '../../src/lib/sandbox/server.js';
import {sandboxToken} from '../endpoints/table.js';
import {account} from './demo-world.js';
import {writeFiles} from './every-command.js';
import {subjects, type Subject} from './faults/subjects.js';
import {goingOn, hostile, isRead, shownText, steeringIn, type Poison} from './hostile-texts.js';
import {run} from './in-process.js';
import {everyKindAndPush} from './policy-server.js';
import {isOtherProgram, newFolder, type Ended} from './program.js';
import {pass, serverThat, type Answered, type Received, type RecordingServer} from './server.js';
import {machineWith, profileOn, type Machine} from './signing-in.js';

/** They print text for programs, which is as long as it is. */
const exact = ['api', 'auth token', 'batch', 'completion', 'export'];

/** Between these a text goes on for longer than any terminal is wide. Whoever shows the first shows the other one, or `…`. */
const [begin, end] = ['⟦', '⟧'];
const long = `${begin}${' it goes on, 写真も 👩‍👩‍👧'.repeat(20)} ${'w'.repeat(250)}${hostile}${end}`;

/** Fields without which most commands end at once. */
const isNeeded = (field: string): boolean => isRead(field) || /^(?:username|acct|domain|supported_mime_types)$/.test(field);

const servers: readonly (readonly [name: string, poison: Poison])[] = [
  ['friendly', (answered) => answered],
  ['long and hostile', (answered) => goingOn(long, (field) => !isNeeded(field))({...answered, text: answered.text.replaceAll('…', '')})],
];

/** What is done before, so that there is something to show. */
const applied = ['apply', 'policy.yml', '--yes', '--quiet'];
const before: Readonly<Record<string, readonly string[]>> = {
  undo: applied,
  'state forget': applied,
  'state list': applied,
  'state move': applied,
};

/** They only say why not here: what they need is a browser, a person, a missing file, or two accounts with the same blocks. */
const refused = ['auth refresh', 'dm triage', 'sandbox', 'state move'];

const reason = 'a reason that is longer than a line of a terminal, however long the lines of terminals are, because reasons may be';
const policy = everyKindAndPush.replace('bad.example', `{domain: bad.example, private_comment: "${reason}"}`);

const times = (text: string, sign: string): number => text.split(sign).length - 1;

/** The lines that were ever shown: what is drawn again begins its line anew. */
const lineEnd = new RegExp(String.raw`\r\u001b\[K|\n`);
const linesOf = (output: string): string[] => output.split(lineEnd).map((line) => shownText(line));

/** What is to be copied is not broken: a command on a line of its own and, among sentences, an address or a path. */
const isCommand = (line: string): boolean => /^\s*`?pixelctl /.test(line);
const isOneWord = (line: string): boolean => !line.trim().includes(' ');

function complaintsAbout({stdout, stderr}: Ended, columns: number): string[] {
  const isWide = (line: string) => stringWidth(line) > columns && !isCommand(line);
  const wide = [...linesOf(stdout).filter(isWide), ...linesOf(stderr).filter((line) => isWide(line) && !isOneWord(line))];
  const text = shownText(stdout + stderr);
  const steering = steeringIn(text);
  return [
    ...wide.slice(0, 1).map((line) => `${wide.length} lines are too wide: ${line}`),
    ...(steering === undefined ? [] : [`lets through ${steering}`]),
    ...(times(text, begin) - times(text, end) > times(text, '…') ? [`cuts text without a mark: ${text}`] : []),
  ];
}

/** What the server does that all commands talk to, at an address that profiles can be bound to. */
let answerNow: (received: Received) => Promise<Answered>;
let server: RecordingServer;
let common: Machine;
beforeAll(async () => {
  server = await serverThat((received) => answerNow(received));
  common = await twoProfiles();
});
afterAll(() => server[Symbol.asyncDispose]());

function twoProfiles(): Promise<Machine> {
  const profiles = ['bob', 'ana'].map((name) => profileOn(server.url, {name, account: {id: account(name), acct: name}, client: null}));
  return machineWith(...profiles.map((profile) => [profile, {accessToken: `sandbox-${profile.name}`}] as const));
}

async function shown({command, args, stdin = ''}: Subject, poison: Poison, columns: number): Promise<Ended> {
  const sandbox = await startSandbox();
  const {env} = command.startsWith('auth ') ? await twoProfiles() : common;
  const folder = newFolder();
  writeFiles(folder);
  writeFileSync(join(folder, 'policy.yml'), policy);
  writeFileSync(join(folder, 'harbour.jpg'), Buffer.from([0xff, 0xd8, 0xff, 0xe0]));
  const around = {env: {...env, PIXELCTL_SERVER: server.url, PIXELCTL_TOKEN: sandboxToken(args)}, folder};
  try {
    answerNow = (received) => pass(received, sandbox.url);
    const prepared = before[command];
    if (prepared !== undefined) expect(await run(prepared, around)).toMatchObject({status: 0});
    answerNow = async (received) => poison(await pass(received, sandbox.url));
    return await run(args, {...around, stdin, columns});
  } finally {
    await sandbox.close();
  }
}

// Another program runs as a process, which has no terminal of this kind.
describe.skipIf(isOtherProgram)('every command fits the terminal, lets nothing through to it, and marks what it cuts', () => {
  describe.each(servers)('from a server that is %s', (name, poison) => {
    test.each([40, 60, 80, 200])('at %d columns', async (columns) => {
      const complaints: string[] = [];
      for (const subject of subjects.filter(({command}) => !exact.includes(command))) {
        const ended = await shown(subject, poison, columns);
        complaints.push(...complaintsAbout(ended, columns).map((complaint) => `${subject.command} ${complaint}`));
        if (name === 'friendly' && ![0, 10].includes(ended.status ?? 1) && !refused.includes(subject.command))
          complaints.push(`${subject.command} ends with ${ended.status}: ${ended.stderr}`);
      }
      expect(complaints).toEqual([]);
    });
  });
});
