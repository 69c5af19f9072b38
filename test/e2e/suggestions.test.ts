/** Every command that is suggested, run as it is printed: it does what it says on the same account, and nothing else. */
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {wordsOfShell} from '../shell-words.js';
import {complaint, suggestionsIn} from '../command-lines.js';
import {run} from './in-process.js';
import {newFolder, runShell} from './program.js';
import {serverThat, type Answered, type Received, type RecordingServer} from './server.js';
import {machineWith, profileOn} from './signing-in.js';

/** What a server could put where somebody pastes it. */
const hostile = {id: '3;touch${IFS}pwned;#', text: '$(touch pwned); touch pwned `touch pwned`', domain: '--yes.example'};

const filter = (id: string) => ({
  id,
  title: hostile.text,
  context: ['home'],
  expires_at: null,
  filter_action: 'warn',
  keywords: [{id: 1, keyword: 'a', whole_word: true}],
  statuses: [],
});

const account = {id: '1', username: 'work', acct: 'work', note: hostile.text};

const push = {
  version: '1.0',
  username: 'work',
  profile_id: '1',
  notify_enabled: false,
  notify_like: false,
  notify_follow: false,
  notify_mention: false,
  notify_comment: false,
};

/** A server whose lists are hostile and whose other answers fit nothing in particular. */
function hostileAnswer({method, target}: Received): Answered {
  const [path = ''] = target.split('?', 1);
  if (path === '/api/v1/accounts/verify_credentials') return {text: JSON.stringify(account)};
  if (method === 'GET' && path === '/api/v2/filters') return {text: JSON.stringify([filter(hostile.id), filter('-4'), filter('5')])};
  if (method === 'GET' && path === '/api/v1/domain_blocks')
    return {text: JSON.stringify([hostile.domain, 'a.example;touch pwned', 'b.example'])};
  if (path === '/api/v1.1/push/state') return {text: JSON.stringify(push)};
  if (path === '/api/v1.1/direct/lookup') return {text: JSON.stringify([{id: '9', name: hostile.text, account}])};
  if (path.endsWith('/unread_count')) return {text: '{"primary": 1, "requests": 0}'};
  return {text: method === 'GET' && !path.includes('config') ? '[]' : '{}'};
}

const failing = (status: number, body: unknown) => (): Answered => ({status, text: JSON.stringify(body)});

/** Ways in which requests fail, each with hints of its own. */
const failures: readonly (readonly [string, (received: Received) => Answered])[] = [
  ['an expired token', failing(401, {error: 'Unauthenticated.'})],
  ['a scope', failing(403, {error: ''})],
  ['an object of somebody else', failing(403, {error: 'This action is unauthorized.'})],
  ['nothing there', failing(404, {error: 'Not found'})],
  ['a route that there is not', failing(404, {error: 'The route could not be found.'})],
  ['a group', failing(422, {error: 'Only group conversations can be left.'})],
  ['a large file', failing(413, {error: hostile.text})],
  ['a fault of the server', failing(500, {error: hostile.text})],
  ['the login page', () => ({status: 302, headers: {location: '/login'}, text: ''})],
  ['HTML', () => ({text: '<!doctype html>'})],
  ['an answer for something else', hostileAnswer],
];

const lines = [
  'blocks list',
  'config',
  'dm get 5',
  'dm get @bob',
  'dm leave 5 --yes',
  'dm lookup bob',
  'dm messages 5',
  'dm send 5 Hello',
  'dm start @bob',
  'filters create --title x --context home --keyword a',
  'filters delete 5 --yes',
  'filters get 5',
  'notifications list',
  'push state',
  'report post 5 --type spam',
  'thread get @bob',
  'thread send 5 Hello',
  'doctor',
  'auth refresh work',
];

interface Accounts extends AsyncDisposable {
  /** Of the active profile: nothing may go there. */
  readonly home: RecordingServer;
  /** Of the profile that is named. */
  readonly work: RecordingServer;
  readonly env: Readonly<Record<string, string>>;
  answer: (received: Received) => Answered;
}

async function accounts(): Promise<Accounts> {
  const home = await serverThat(() => ({text: '{}'}));
  const work = await serverThat((received) => made.answer(received));
  const {env} = await machineWith(
    [profileOn(work.url, {name: 'work'}), {accessToken: 'token-of-work'}],
    [profileOn(home.url, {name: 'home'}), {accessToken: 'token-of-home'}],
  );
  const made: Accounts = {
    home,
    work,
    env,
    answer: hostileAnswer,
    async [Symbol.asyncDispose]() {
      await home[Symbol.asyncDispose]();
      await work[Symbol.asyncDispose]();
    },
  };
  return made;
}

/** These wait for somebody, or run on. */
const waits = /^pixelctl (auth login|sandbox)\b/;

const tools = newFolder();
writeFileSync(join(tools, 'pixelctl'), '#!/bin/sh\nfor word; do printf "%s\\0" "$word"; done >"$NOTED"\n', {mode: 0o755});

/** What failures of many kinds suggest alike is pasted once. */
const known = new Map<string, Promise<string[]>>();

/** The words with which a shell calls the program when this is pasted. */
function pasted(line: string, folder: string): Promise<string[]> {
  const words = known.get(line) ?? paste(line, folder);
  known.set(line, words);
  return words;
}

async function paste(line: string, folder: string): Promise<string[]> {
  const noted = join(newFolder(), 'words');
  await runShell(line, {env: {PATH: `${tools}:${process.env['PATH']}`, NOTED: noted}, folder});
  return readFileSync(noted, 'utf8').split('\0').slice(0, -1);
}

/** Runs what was suggested where it was, and holds what happened against what it promised. */
async function expectHarmless(suggestions: ReadonlySet<string>, {home, work, env}: Accounts, folder: string): Promise<void> {
  const before = home.exchanges.length;
  for (const line of suggestions) {
    const words = await pasted(line, folder);
    // A topic alone shows its commands.
    if (words.length > 1 && words[0] !== 'help') expect(complaint(words), line).toBeUndefined();
    if (waits.test(line)) continue;
    const received = work.exchanges.length;
    const {stderr} = await run(words, {env, folder});
    expect(stderr, line).not.toMatch(/There is no|[Tt]oo many|Missing:|expects a value/);
    for (const {received: one} of work.exchanges.slice(received))
      expect([undefined, 'Bearer token-of-work'], line).toContain(one.headers['authorization']);
  }
  expect(home.exchanges.length).toBe(before);
  expect(existsSync(join(folder, 'pwned'))).toBe(false);
}

/** Whether it acts on an account at all: help and lists of profiles do not. */
const actsOnNothing = /--help$|^pixelctl (auth (status|login|switch)|sandbox|help)\b/;

function expectAccount(suggestions: ReadonlySet<string>): void {
  for (const line of suggestions) if (!actsOnNothing.test(line)) expect(line).toContain(' --profile=work');
}

/** What all the lines suggest. */
async function suggestedTo(env: Readonly<Record<string, string>>, folder: string, ...flags: readonly string[]): Promise<Set<string>> {
  const ended = [];
  for (const line of lines) ended.push(await run([...line.split(' '), ...flags, '--retries', '0'], {env, folder}));
  return new Set(ended.flatMap(({stdout, stderr}) => suggestionsIn(`${stdout}\n${stderr}`)));
}

describe('suggestions after a failed request act on the same account:', () => {
  test.concurrent.each(failures)('%s', async (_, answer) => {
    await using all = await accounts();
    all.answer = answer;
    const folder = newFolder();
    const suggestions = await suggestedTo(all.env, folder, '--profile', 'work');
    expectAccount(suggestions);
    all.answer = hostileAnswer;
    await expectHarmless(suggestions, all, folder);
  });

  test.concurrent('what the environment names is left out of them', async () => {
    await using all = await accounts();
    const env = {...all.env, PIXELCTL_PROFILE: 'work'};
    const folder = newFolder();
    const suggestions = new Set<string>();
    for (const answer of [failing(404, {error: 'Not found'}), failing(500, {error: hostile.text}), hostileAnswer]) {
      all.answer = answer;
      for (const suggestion of await suggestedTo(env, folder)) suggestions.add(suggestion);
    }
    const acting = [...suggestions].filter((line) => !actsOnNothing.test(line));
    expect(acting.length).toBeGreaterThan(2);
    expect(acting.filter((line) => / --(?:profile|server)=/.test(line))).toEqual([]);
    await expectHarmless(suggestions, {...all, env}, folder);
  });

  test.concurrent('a server that is not there', async () => {
    await using all = await accounts();
    await all.work[Symbol.asyncDispose]();
    const {stderr} = await run(['dm', 'send', '5', 'Hello', '--profile', 'work', '--retries', '0'], {env: all.env});
    expectAccount(new Set(suggestionsIn(stderr)));
  });
});

describe('suggestions in reports act on the same account, for any data of servers and lists:', () => {
  const policy = "it's; touch pwned.yml";
  const state = '-state; touch pwned.json';
  const text = `version: 1
domain_blocks:
  only: true
  must: [must.example]
  must_not: [b.example]
filters:
  only: true
`;

  test.concurrent('audit, plan and apply', async () => {
    await using all = await accounts();
    const folder = newFolder();
    writeFileSync(join(folder, policy), text);
    const common = ['--profile', 'work'];
    const options = {env: all.env, folder};
    const audit = await run(['audit', policy, ...common, '--json', '--report', 'markdown=report.md'], options);
    expect(audit).toMatchObject({status: 10});
    const people = await run(['audit', policy, ...common], options);
    const plan = await run(['plan', policy, ...common, `--state=${state}`], options);
    const apply = await run(['apply', policy, ...common, `--state=${state}`], options);
    const {findings}: {readonly findings: readonly {readonly fix: string}[]} = JSON.parse(audit.stdout);
    const fixes = findings.map(({fix}) => fix);
    const told = [people, plan, apply].flatMap(({stderr}) => suggestionsIn(stderr));
    const suggestions = new Set([...fixes.filter((fix) => fix.startsWith('pixelctl ')), ...told]);
    for (const fix of fixes) expect(fix).toMatch(/^(?!.*pixelctl )|^pixelctl /);
    expect(suggestions.size).toBeGreaterThan(3);
    expect([...suggestions].filter((line) => /^pixelctl domain-blocks .*touch/.test(line))).toHaveLength(1);
    expectAccount(suggestions);
    for (const line of told)
      if (/^pixelctl (apply|plan|undo) /.test(line) && plan.stderr.includes(line)) expect(wordsOfShell(line)).toContain(`--state=${state}`);
    expect(readFileSync(join(folder, 'report.md'), 'utf8')).toContain('--profile&#61;work');
    await expectHarmless(suggestions, all, folder);
  });
});
