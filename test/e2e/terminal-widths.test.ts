/** What every command prints and asks, at terminals of four widths: from a friendly server, and from one whose every text is long and hostile. */
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import stringWidth from 'string-width';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {demoFor, startSandbox} from '../sandbox/start.js';
import {pairwiseSampler, sampledBy} from '../contract/sample.js';
import {sandboxToken} from '../endpoints/table.js';
import {account} from './demo-world.js';
import {writeFiles} from './every-command.js';
import {subjectOf, subjects, type Subject} from './faults/subjects.js';
import {goingOn, hostile, isRead, shownText, steeringIn, type Poison} from './hostile-texts.js';
import {run} from './in-process.js';
import {everyKind} from './policy-server.js';
import {isOtherProgram, newFolder, type Ended} from './program.js';
import {pass, serverThat, type Answered, type Received, type RecordingServer} from './server.js';
import {machineWith, profileOn, type Machine} from './signing-in.js';

/** They print text for programs, which is as long as it is. */
const exact = ['api', 'auth token', 'completion', 'export'];

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
};

/** They only say why not here: what they need is a browser, a person, or a free port. */
const refused = ['auth refresh', 'dm triage', 'sandbox'];

const reason = 'a reason that is longer than a line of a terminal, however long the lines of terminals are, because reasons may be';
const policy = everyKind.replace('bad.example', `{domain: bad.example, private_comment: "${reason}"}`);

/** A run of a command at a terminal. */
interface Run extends Subject {
  /** What somebody types at each question. */
  readonly typing?: readonly string[];
}

/** Commands of several requests that ask before they write. */
const cautious = ['api', 'apply', 'dm clear', 'restore', 'undo'];

/** With a protected profile every write asks, and names it. Where standard input is read, nobody can be asked. */
const asking: readonly Run[] = [
  ...subjects
    .filter(({command, kind, stdin}) => stdin === undefined && (kind.includes('write') || cautious.includes(command)))
    .map((subject) => ({...subject, args: subject.args.filter((word) => word !== '--yes'), typing: ['n\r']})),
  // Reports the newest message for the first reason, and skips all requests.
  {...subjectOf('dm triage'), typing: ['y\r', 'r\r', '\r', 's\r']},
  {...subjectOf('auth login'), args: ['auth', 'login', '--no-browser', '--profile', 'new'], typing: ['code\r']},
].map((run) => ({...run, command: `${run.command}, asking`}));

interface Case {
  readonly run: Run;
  readonly from: string;
  readonly columns: number;
}

const sample = pairwiseSampler<Case>(({run: {command, kind, typing}, from, columns}) => [
  command,
  `${kind} ${typing === undefined ? 'tells' : 'asks'} ${from} ${columns}`,
]);

const widths = [40, 60, 80, 200];
const runs = [...subjects.filter(({command}) => !exact.includes(command)), ...asking];
const cases = sample(runs.flatMap((run) => servers.flatMap(([from]) => widths.map((columns) => ({run, from, columns})))));

const times = (text: string, sign: string): number => text.split(sign).length - 1;

/** The lines that were ever shown: what is drawn again begins its line anew. */
const lineEnd = new RegExp(String.raw`\r\u001b\[K|\n|\u001b\[(?:2K|G)`);
/** How a question is drawn: it is erased, the cursor moves, and keys are explained in bright black. */
const drawing = new RegExp(String.raw`\u001b\[(?:\?25[hl]|\d*[A-D]|\d+G|90m)`, 'g');
const linesOf = (output: string): string[] => output.split(lineEnd).map((line) => shownText(line));

/** What is to be copied is not broken: a command on a line of its own and, among sentences, an address or a path. */
const isCommand = (line: string): boolean => /^\s*`?pixelctl /.test(line);
const isOneWord = (line: string): boolean => !line.trim().includes(' ');

function complaintsAbout({stdout, stderr}: Ended, columns: number): string[] {
  const isWide = (line: string) => stringWidth(line) > columns && !isCommand(line);
  const wide = [...linesOf(stdout).filter(isWide), ...linesOf(stderr).filter((line) => isWide(line) && !isOneWord(line))];
  const text = [stdout, stderr].flatMap(linesOf).join('\n');
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

function twoProfiles(token?: string): Promise<Machine> {
  const profiles = ['bob', 'ana'].map((name) =>
    profileOn(server.url, {name, account: {id: account(name), acct: name}, client: null, isProtected: token !== undefined}),
  );
  return machineWith(
    ...profiles.map((profile) => [profile, {accessToken: (profile.name === 'ana' && token) || `sandbox-${profile.name}`}] as const),
  );
}

/** Where a run finds its server and its token: somebody who is asked is somebody with a protected profile. */
async function accountOf({command, args, typing}: Run): Promise<Readonly<Record<string, string>>> {
  const token = sandboxToken(args);
  if (typing !== undefined)
    return {...(await twoProfiles(token)).env, ...(command.startsWith('auth login') && {PIXELCTL_SERVER: server.url})};
  const {env} = command.startsWith('auth ') ? await twoProfiles() : common;
  return {...env, PIXELCTL_SERVER: server.url, PIXELCTL_TOKEN: token};
}

async function shown(one: Run, poison: Poison, columns: number): Promise<Ended> {
  const {args, stdin = '', typing} = one;
  const sandbox = await startSandbox({seed: demoFor(sandboxToken(args))});
  const folder = newFolder();
  writeFiles(folder);
  writeFileSync(join(folder, 'policy.yml'), policy);
  writeFileSync(join(folder, 'harbour.jpg'), Buffer.from([0xff, 0xd8, 0xff, 0xe0]));
  const around = {env: await accountOf(one), folder};
  try {
    answerNow = (received) => pass(received, sandbox.url);
    const prepared = before[args.slice(0, 2).join(' ')] ?? before[args[0] ?? ''];
    if (prepared !== undefined) expect(await run(prepared, around)).toMatchObject({status: 0});
    answerNow = async (received) => poison(await pass(received, sandbox.url));
    const ended = await run(args, {...around, stdin, columns, typing});
    return {...ended, stderr: ended.stderr.replaceAll(drawing, '')};
  } finally {
    await sandbox.close();
  }
}

/** What is wrong with the end of a run that a server answered as servers do. */
function complaintsAboutEnd({command, typing}: Run, {status, stderr}: Ended): string[] {
  if (typing !== undefined) return /\(y\/N\)|navigate|Paste|to confirm:/.test(stderr) ? [] : [`asks nothing: ${stderr}`];
  return [0, 10].includes(status ?? 1) || refused.includes(command) ? [] : [`ends with ${status}: ${stderr}`];
}

// Another program runs as a process, which has no terminal of this kind.
describe.skipIf(isOtherProgram)('every command fits the terminal, lets nothing through to it, and marks what it cuts', () => {
  describe.each(servers)('from a server that is %s', (name, poison) => {
    test.each(widths)('at %d columns', async (columns) => {
      const complaints: string[] = [];
      for (const {run: one} of cases.filter((each) => each.from === name && each.columns === columns)) {
        const ended = await shown(one, poison, columns);
        const found = [...complaintsAbout(ended, columns), ...(name === 'friendly' ? complaintsAboutEnd(one, ended) : [])];
        complaints.push(...found.map((complaint) => `${one.command} ${complaint}`));
      }
      expect(complaints, sampledBy).toEqual([]);
    });
  });
});
