/** Every command and every format at a terminal, against servers whose every text wants to steer it. */
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {pairwiseSampler, sampledBy} from '../contract/sample.js';
import {commandIds, commandLine, hasFlag, writeFiles} from './every-command.js';
import {goingOn, hostile, isRead, refusing, shownText, steeringIn, type Poison} from './hostile-texts.js';
import {subjectOf} from './faults/subjects.js';
import {isOtherProgram, newFolder} from './program.js';
import {pass, recordedSandbox, serverThat, type Received} from './server.js';
import {machineWith, profileOn} from './signing-in.js';

const [tables, others, dryRuns] = [
  ['', '-v'],
  ['--json', '-o ndjson', '-o csv', '-o tsv', '-o yaml', '--jq ..', '--jq .. -o ndjson'],
  ['--dry-run', '--dry-run -o curl', '--dry-run --json'],
];

function words(line: string): string[] {
  return line.split(' ').filter((word) => word !== '');
}

const servers: readonly (readonly [name: string, poison: Poison, formats: readonly string[]])[] = [
  ['in all that is not read', goingOn(hostile, (field) => !isRead(field)), [...tables, ...others, ...dryRuns]],
  ['everywhere', goingOn(hostile, () => true), [...tables, ...others, ...dryRuns]],
  // A failure is told in two forms, and a third is beside it.
  ['in its refusals', refusing, [...tables, '--json']],
];

interface Case {
  readonly id: string;
  readonly server: string;
  readonly format: string;
}

const sample = pairwiseSampler<Case>(({id, server, format}) => [
  ...(tables.includes(format) ? [id] : []),
  `${subjectOf(id.replaceAll(':', ' ')).kind} ${server} ${tables.includes(format) ? 'for people' : 'for programs'}`,
  `${format} ${server}`,
]);

const cases = sample(
  commandIds.flatMap((id) =>
    servers.flatMap(([server, , formats]) =>
      formats.filter((format) => !dryRuns.includes(format) || hasFlag(id, 'dry-run')).map((format) => ({id, server, format})),
    ),
  ),
);

const exports = ['policy', 'mastodon-csv', 'mastodon-admin', 'mastodon-json', 'fediblockhole', 'plain'].map((as) => ['export', '--as', as]);

/** They print many texts at once. */
const further: readonly (readonly string[])[] = [
  ...exports,
  ['notifications', 'list', '--follow', '--min-id', '1', '--max', '3', '--interval', '1'],
  ['blocks', 'list', '--all', '--fields', 'acct,note'],
  ['dm', 'export', '--to', 'archive', '--verify'],
];

/** Whoever asks, with the token that the endpoint wants. */
function asAnyone(received: Received): Received {
  const token = /^\/api\/(?:v1\/)?admin\//.test(received.target) ? 'sandbox-admin-as-admin' : 'sandbox-ana';
  return {...received, headers: {...received.headers, authorization: `Bearer ${token}`, 'x-pixelfed-app': '1'}};
}

/** The command line, and what it let through. */
function complaint(text: string): string | undefined {
  const steering = steeringIn(text);
  return steering === undefined ? undefined : `${text.split('\n', 1)[0]}: ${steering}`;
}

// Another program runs as a process, which has no terminal of this kind.
describe.skipIf(isOtherProgram)('a hostile server', () => {
  test.each(servers)('%s does not control the terminal', async (name, poison) => {
    const own = cases.filter(({server}) => server === name).map(({id, format}) => ({...commandLine(id), format}));
    const lines = [...own, ...(poison === refusing ? [] : further.map((args) => ({args, stdin: '', format: ''})))];
    await using sandbox = await recordedSandbox();
    await using server = await serverThat(async (received) => poison(await pass(asAnyone(received), sandbox.sandbox.url)));
    const profiles = ['bob', 'ana'].map(
      (profile) => [profileOn(server.url, {name: profile}), {accessToken: sandbox.sandbox.tokens.all}] as const,
    );
    const machine = await machineWith(...profiles);
    const folder = newFolder();
    writeFiles(folder);
    writeFileSync(join(folder, 'harbour.jpg'), Buffer.from([0xff, 0xd8, 0xff, 0xe0]));
    const said: string[] = [];
    for (const {args, stdin = '', format} of lines) {
      const typed = [...args, ...words(format), '--retries', '0', '--max-wait', '0'];
      const {stdout, stderr} = await machine.run(typed, {env: {...server.env, BROWSER: 'true'}, folder, stdin, columns: 80});
      said.push(shownText(`${typed.join(' ')}\n${stdout}${stderr}`));
    }
    expect(
      said.flatMap((text) => complaint(text) ?? []),
      sampledBy,
    ).toEqual([]);
    // Else this could not fail.
    expect(said.filter((text) => /\\u202e/.test(text)).length).toBeGreaterThan(lines.length / 3);
  });
});
