/** Every command and every format at a terminal, against servers whose every text wants to steer it. */
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {ProfileStore} from '../../src/lib/auth/profile-store.js';
import {commandIds, commandLine, hasFlag, writeFiles} from './every-command.js';
import {hasTerminal, newFolder, startAtTerminal, type Circumstances} from './program.js';
import {recordedSandbox, serverThat, type Answered, type Received} from './server.js';
import {profileOn} from './signing-in.js';

const untried = hasTerminal ? '' : ' (not tried: the tool script of util-linux is not here)';

/** Ways to clear the screen, fill the clipboard, hide, turn round and be overlooked. */
const hostile = [
  'x\u001b[2J\u001b]52;c;cm0gLXJmIH4=\u0007\u001b[8m\u001b[31m\u001bP\u001b\\\r\b\u007f\n\t',
  '\u009b2J\u009d0;owned\u009c\u0085\u202e\u2066\u2069\u200f\u061c\u2028',
  '\u200b\u200d\u2060\ufeff\u00ad\u3164\ufe0f\u{e0041}\u{e007f}y',
].join('');

/** All of it, and what is no more than a part. */
const steering = /[\p{Cc}--[\t\n]]|[\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\u{e0000}-\u{e007f}]/v;

/** What the tool itself may write: its colours, and what draws a progress bar. */
const own = new RegExp(String.raw`\u001b\[(?:1|2|4|22|24|3[1-5]|39)m|\r\u001b\[K`, 'g');

const formats = ['', '--json', '-o ndjson', '-o csv', '-o tsv', '-o yaml', '--jq ..', '--jq .. -o ndjson', '-v'].map(words);

const dryRuns = ['--dry-run', '--dry-run -o curl', '--dry-run --json'].map(words);

function words(line: string): string[] {
  return line.split(' ').filter((word) => word !== '');
}

const exports = ['policy', 'mastodon-csv', 'mastodon-admin', 'mastodon-json', 'fediblockhole', 'plain'].map((as) => ['export', '--as', as]);

/** What reads nothing from the terminal, and those that do: they have a process of their own. */
const [ids, readers] = [
  commandIds.filter((id) => commandLine(id).stdin === undefined),
  commandIds.filter((id) => commandLine(id).stdin !== undefined),
];

type Lines = readonly (readonly string[])[];

const inFormats = (some: Lines, ofDryRuns: Lines): Lines =>
  ids.flatMap((id) => [...some, ...(hasFlag(id, 'dry-run') ? ofDryRuns : [])].map((format) => [...commandLine(id).args, ...format]));

const lines: Lines = [
  ...inFormats(formats, dryRuns),
  ...exports,
  ['notifications', 'list', '--follow', '--min-id', '1', '--max', '3', '--interval', '1'],
  ['blocks', 'list', '--all', '--fields', 'acct,note'],
  ['dm', 'export', '--to', 'archive', '--verify'],
  ['dm', 'export', '--estimate'],
];

/** A failure is told in two forms, and a third is beside it. */
const failingLines = inFormats(['', '--json', '-v'].map(words), []);

/** The same JSON in which every text, or every text of a field of these, goes on with what is hostile. */
function poisoned(value: unknown, isChosen: (field: string) => boolean, field = ''): unknown {
  if (typeof value === 'string') return isChosen(field) ? value + hostile : value;
  if (Array.isArray(value)) return value.map((item) => poisoned(item, isChosen, field));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, inner]) => [name, poisoned(inner, isChosen, name)]);
  return Object.fromEntries([...fields, ...(isChosen('own') ? [[`own${hostile}`, hostile]] : [])]);
}

const mustBeRead = /^(id|.*_id|.*_cursor|reportId|url|.*_url|created_at|updated_at|expires_at|version)$/;

type Poison = (answered: Answered) => Answered;

const headers = {'x-hostile': 'a\u009b2Jb', 'content-type': 'application/json'};

const json =
  (isChosen: (field: string) => boolean): Poison =>
  ({status = 200, text, headers: own_}) => ({
    status,
    headers: {...own_, ...headers},
    text: text === '' ? text : JSON.stringify(poisoned(JSON.parse(text), isChosen)),
  });

const refusal = JSON.stringify({error: hostile, message: hostile, errors: {[hostile]: [hostile]}});

const servers: readonly (readonly [name: string, poison: Poison, lines: Lines])[] = [
  ['in all that is not read', json((field) => !mustBeRead.test(field)), lines],
  ['everywhere', json(() => true), lines],
  ['in its refusals', () => ({status: 422, headers, text: refusal}), failingLines],
];

async function behind(url: string, token: string, {method, target, body}: Received): Promise<Answered> {
  const answer = await fetch(url + target, {
    method,
    headers: {authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-pixelfed-app': '1'},
    ...(body.length > 0 && {body: new Uint8Array(body)}),
  });
  const link = answer.headers.get('link');
  return {status: answer.status, headers: link === null ? {} : {link}, text: await answer.text()};
}

async function shown(line: string, circumstances: Circumstances): Promise<string> {
  const {stdout} = await startAtTerminal(line, 80, circumstances).ended;
  return stdout.replaceAll(own, '').replaceAll(/\r*\n/g, '\n');
}

/** The command line, and what it let through. */
function complaint(text: string): string | undefined {
  const rest = text.replaceAll(/\p{RGI_Emoji}/gv, '');
  const at = rest.search(steering);
  return at === -1 ? undefined : `${rest.split('\n', 1)[0]}: ${JSON.stringify(rest.slice(Math.max(0, at - 40), at + 20))}`;
}

describe.runIf(hasTerminal)(`a hostile server${untried}`, () => {
  test.concurrent.each(servers)('%s does not control the terminal', async (_, poison, typed) => {
    await using sandbox = await recordedSandbox();
    await using server = await serverThat(async (received) =>
      poison(await behind(sandbox.sandbox.url, sandbox.sandbox.tokens.all, received)),
    );
    const folder = newFolder();
    const profiles = join(folder, 'profiles');
    const store = new ProfileStore(profiles, {storage: 'file'});
    for (const name of ['bob', 'ana'])
      await store.save(profileOn(server.url, {name, client: null}), {accessToken: sandbox.sandbox.tokens.all});
    writeFiles(folder);
    writeFileSync(join(folder, 'harbour.jpg'), Buffer.from([0xff, 0xd8, 0xff, 0xe0]));
    const limits = ['--retries', '0', '--max-wait', '0', '--timeout', '10'];
    writeFileSync(join(folder, 'lines.json'), JSON.stringify(typed.map((line) => [...line, ...limits])));
    const env = {...server.env, PIXELCTL_CONFIG_DIR: profiles, PIXELCTL_STORAGE: 'file', BROWSER: 'true'};
    const driver = join(import.meta.dirname, 'many-runs.js');
    const said = (await shown(`'${process.execPath}' '${driver}' lines.json`, {env, folder})).split('\n### ').slice(1);
    expect(said).toHaveLength(typed.length);
    for (const id of readers) {
      const {args, stdin = ''} = commandLine(id);
      writeFileSync(join(folder, 'input'), stdin);
      for (const flag of ['', '--json']) said.push(await shown(`echo '${id}'; pixelctl ${args.join(' ')} ${flag} < input`, {env, folder}));
    }
    expect(said.flatMap((text) => complaint(text) ?? [])).toEqual([]);
    // Else this could not fail.
    expect(said.filter((text) => /\\u202e/.test(text)).length).toBeGreaterThan(typed.length / 3);
  });
});
