/** Our own files with parts missing, null, of another type or with odd values: an error about the file, never an internal error. */
import {tmpdir} from 'node:os';
import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import nock from 'nock';
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest';
import {ProfileStore} from '../../src/lib/auth/profile-store.js';
import {startSandbox} from '../sandbox/start.js';
import {account, conversation} from '../e2e/demo-world.js';
import {runCommand} from '../run-command.js';
import {fieldsOf, memberOf, replaced, without} from './fields.js';
import {pairwiseSampler, sampledBy} from './sample.js';
import {StartingFolder} from './starting-folder.js';

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'pixelctl-kept-'));
});
afterAll(() => rmSync(home, {recursive: true, force: true}));

const secrets = ['canary-of-an-access-token', 'canary-of-a-refresh-token', 'canary-of-a-client'];

/** Values of the right type that mean nothing: no time, no address, no character, no date. */
function oddValues(value: unknown): readonly unknown[] {
  if (typeof value === 'string') return ['', 'https://', '../..', '\ud83d', '0000'];
  return typeof value === 'number' ? [9e15, -1, 0.5] : [];
}

interface Odd {
  /** The path of a part of the file. */
  readonly place: string;
  /** What is wrong there. */
  readonly kind: string;
  readonly sort: 'another type' | 'missing' | 'null' | 'odd value' | 'whole';
  readonly text: string;
}

function oddDocuments(text: string, seal: (value: unknown) => string): Odd[] {
  const whole: unknown = JSON.parse(text);
  const parts = [...fieldsOf(whole)].flatMap(({path, name, value, other, isMember}) => [
    ...(isMember ? [{place: name, kind: 'missing', sort: 'missing', text: seal(without(whole, path))} as const] : []),
    ...[
      {sort: 'null', odd: null} as const,
      {sort: 'another type', odd: other} as const,
      ...oddValues(value).map((odd) => ({sort: 'odd value', odd}) as const),
    ].map(({sort, odd}) => ({place: name, kind: `${JSON.stringify(odd)} instead`, sort, text: seal(replaced(whole, path, odd))})),
  ]);
  const wholes = [null, [], {}, 7, 'text'].map((value) => ({
    place: 'all of it',
    kind: JSON.stringify(value),
    sort: 'whole' as const,
    text: seal(value),
  }));
  return [...wholes, ...parts];
}

/** A journal is a document a line. */
function oddLines(text: string): Odd[] {
  const lines = text.trimEnd().split('\n');
  return lines.flatMap((line, index) =>
    oddDocuments(line, JSON.stringify).map((odd) => ({
      ...odd,
      place: `line ${index + 1}, ${odd.place}`,
      text: `${lines.with(index, odd.text).join('\n')}\n`,
    })),
  );
}

const hasLines = (file: string): boolean => file === 'journal' || file.endsWith('.ndjson');

function oddTexts(file: string, text: string): Odd[] {
  const cut = [0, 1, Math.floor(text.length / 2), text.length - 2].map((end) => ({
    place: 'all of it',
    kind: `cut at ${end}`,
    sort: 'whole' as const,
    text: text.slice(0, end),
  }));
  const odds = hasLines(file) ? oddLines(text) : oddDocuments(text, (value) => JSON.stringify(value));
  return [...odds, ...cut, {place: 'all of it', kind: 'bytes', sort: 'whole', text: '\u0000\uFFFD'}];
}

interface Trial extends Odd {
  readonly file: string;
  readonly line: string;
}

const policy = `version: 1
domain_blocks: {must: [bad.example]}
filters: {must: [{title: Politics, context: [home], keywords: [vote]}]}
blocks: {must: ['@bob']}
`;

interface Kind {
  /** Or the beginning of its name, and behind an asterisk its end. */
  readonly file: string;
  /** Command lines that write it. */
  readonly before: readonly string[];
  /** Command lines that read it. */
  readonly lines: readonly string[];
}

const [group, sly] = [conversation('bob', 'clara', 'eiko').id, conversation('sly').id];

const kinds: readonly Kind[] = [
  {
    file: 'config/profiles.json',
    before: [],
    lines: ['blocks list', 'auth status', 'auth token', 'auth switch ana', 'auth logout ana', 'dm mute 1'],
  },
  {file: 'config/secrets.json', before: [], lines: ['blocks list', 'auth status', 'auth token', 'auth logout ana']},
  {
    file: 'p.yml.*.state.ndjson',
    before: ['apply p.yml --yes'],
    lines: [
      'plan p.yml',
      'apply p.yml --yes',
      'undo p.yml --yes',
      'audit p.yml',
      'state list p.yml',
      'state forget p.yml bad.example',
      'state adopt p.yml --all',
    ],
  },
  {file: 'cache/pixelctl/limits-', before: ['dm start @bob'], lines: ['dm start @bob']},
  {
    file: 'backup/backup.json',
    before: ['backup --to backup --no-messages'],
    lines: ['backup --to backup --no-messages', 'restore backup --yes'],
  },
  {
    file: 'backup/restore.*.state.ndjson',
    before: ['backup --to backup --no-messages', 'mutes remove @sly', 'restore backup --yes'],
    lines: ['restore backup --yes', 'undo backup --yes'],
  },
  {
    file: 'journal',
    before: ['mutes add @bob @nobody --journal journal'],
    lines: ['mutes add @bob @nobody --journal journal'],
  },
  {
    file: 'changes.ndjson',
    before: ['users update @bob --cw --save changes.ndjson --yes --profile admin'],
    lines: [
      'users update --restore changes.ndjson --yes --profile admin',
      'users update @bob --unlisted --save changes.ndjson --yes --profile admin',
    ],
  },
  ...['archive.json', 'conversations.ndjson', `${group}/log.ndjson`, `${group}/log.sum`].map((file) => ({
    file: `archive/${file}`,
    before: [`dm export ${group} ${sly} --to archive`],
    lines: [`dm export ${group} ${sly} --to archive --no-media`, 'dm export --to archive --verify', 'dm export --to archive --dry-run'],
  })),
];

const tokens = {admin: 'sandbox-admin-as-admin', ana: 'sandbox-ana', bob: 'sandbox-bob'};

/** A part with what it is in: which line of a file, which item of a list and how deep that is, tells nothing new. */
const shapeOf = (place: string): string =>
  place
    .replace(/^line \d+, /, '')
    .replaceAll(/\b\d+\b/g, '0')
    .split('.')
    .slice(-2)
    .join('.');

/** Whether its lines are answers of the server, whose members `odd-answers.test.ts` has with each mistake. */
const isAnswers = (file: string): boolean => file.startsWith('archive/') && hasLines(file);

/**
 * Each command meets each file that it reads. Each member of an object is once as good as missing, and once something else. Each file has a mistake in each place. Files of lines and documents are cut in each way, are each value as a whole, and become bytes.
 */
const sample = pairwiseSampler(({file, line, place, kind, sort}: Trial) => [
  `${line} with ${file}`,
  ...(isAnswers(file)
    ? [`${file}: ${sort}`]
    : [`${memberOf(place)}: ${sort === 'missing' || sort === 'null' ? 'nothing' : 'something else'}`, `${file}: ${shapeOf(place)}`]),
  ...(sort === 'whole' ? [`${hasLines(file) ? 'lines' : 'a document'}: ${kind}`] : []),
]);

// The sample depends on which test comes first, so their order is fixed. Slow ones come last, when most mistakes have been tried.
describe('a file with odd parts causes no internal error', {shuffle: false}, () => {
  const cases = kinds.flatMap(({file, before, lines}) => lines.map((line) => [line, file, before] as const));
  test.each(cases)('in %s, with %s', async (line, file, before) => {
    const sandbox = await startSandbox({limitsRate: false});
    onTestFinished(() => sandbox.close());
    // It takes time of requests that it lets through, too.
    nock.restore();
    const folder = mkdtempSync(join(home, 'folder-'));
    const store = new ProfileStore(join(folder, 'config'), {storage: 'file'});
    const [accessToken = '', refreshToken, clientSecret = ''] = secrets;
    for (const name of line.includes('--profile admin') ? (['admin'] as const) : (['bob', 'ana'] as const)) {
      const profile = {
        name,
        server: sandbox.url,
        account: {id: account(name), acct: name},
        scopes: ['read'],
        expiresAt: '2040-01-01T00:00:00.000Z',
        isProtected: false,
        isAdmin: false,
        client: {id: '1'},
      };
      await store.save(profile, {accessToken: file.startsWith('config') ? accessToken : tokens[name], refreshToken, clientSecret});
    }
    writeFileSync(join(folder, 'p.yml'), policy);
    const environment = {
      PIXELCTL_SERVER: undefined,
      PIXELCTL_TOKEN: undefined,
      PIXELCTL_CONFIG_DIR: join(folder, 'config'),
      PIXELCTL_STORAGE: 'file',
      XDG_CACHE_HOME: join(folder, 'cache'),
    };
    const place = process.cwd();
    const run = async (words: string) => {
      process.chdir(folder);
      return runCommand(words.split(' '), {environment}).finally(() => process.chdir(place));
    };
    const written = [];
    for (const one of before) written.push(await run(one));
    const names = readdirSync(folder, {recursive: true, encoding: 'utf8'});
    const [beginning = '', end = ''] = file.split('*');
    const found = names.find((name) => name.startsWith(beginning) && name.endsWith(end));
    if (found === undefined) throw new Error(`There is no ${file} in ${names.join(', ')}: ${JSON.stringify(written)}`);
    const whole = readFileSync(join(folder, found), 'utf8');
    const start = new StartingFolder(folder);
    const complaints: string[] = [];
    for (const {place: where, kind, text} of sample(oddTexts(file, whole).map((odd) => ({...odd, file, line})))) {
      start.restore();
      writeFileSync(join(folder, found), text, {mode: 0o600});
      const {status, stdout, stderr} = await run(line);
      const isTold = !line.startsWith('auth token') && secrets.some((secret) => (stdout + stderr).includes(secret));
      if (status === 1 || isTold || /\bundefined\b|\[object |^\s+at |Invalid Date/m.test(stdout + stderr))
        complaints.push(`${where}: ${kind}: ${status} ${stderr}`);
    }
    expect(complaints, sampledBy).toEqual([]);
  });
});
