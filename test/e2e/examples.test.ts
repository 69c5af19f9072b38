import {spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, describe, expect, test} from 'vitest';
import {sumsOf} from './backups.js';
import {startSandbox} from '../sandbox/start.js';
import {flow, pipelineIn} from '../guides/guide.js';
import {newFolder, runShell, startShell, type Ended} from './program.js';
import {deviceToken} from '../endpoints/push.js';
import {sandboxToken, table} from '../endpoints/table.js';
import {commands} from '../manifest.js';
import {expectDiscreet} from './told.js';

const has = (tool: string): boolean => spawnSync(tool, ['--version']).error === undefined;
const [hasJq, hasBash] = [has('jq'), has('bash')];

/** As help shows them: one line of shell each. */
const examples = commands.flatMap(({id, examples: written = []}) =>
  written.flatMap((example) => {
    const text = typeof example === 'string' ? example : example.command;
    return {id, line: text.replaceAll('<%= config.bin %>', 'pixelctl').replace(/^\$ /, '')};
  }),
);

/** What the examples read and write. */
function furnished({id, line}: (typeof examples)[number]): string {
  const folder = newFolder();
  const [, body] = / --input (\S+\.json)\b/.exec(line) ?? [];
  const sent = table.find(({command}) => command === id.replaceAll(':', ' '))?.requests[0].json;
  const files = {
    ...(body && {[body]: JSON.stringify(sent)}),
    'message.txt': 'See you at the harbour\n',
    'harbour.jpg': Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0]),
    'device-token.txt': `${deviceToken}\n`,
    'accounts.txt': '@bob\n1029249424190092822\n',
    'spam.ndjson': '{"id":"302","profile_id":"1026284000000004241","username":"shoes49"}\n',
    'quarantine.ndjson': `${JSON.stringify({
      time: '2026-11-22T10:00:00.000Z',
      server: sandbox.url,
      action: 'update',
      user: {id: '260', profile_id: '1026245000000004241', username: 'deals10'},
      moderation: {unlisted: false, cw: false, no_autolink: false},
      set: {unlisted: true},
    })}\n`,
    'entries.ndjson': '{"id":38,"type":"post.autospam","item_id":1,"item_type":"App\\\\Status"}\n',
    'domains.txt': 'bad.example\n# worse\nhttps://worse.example/\n',
    'last.json': JSON.stringify({server: 'https://pix.example', account: 'ana', policy: 'moderation.yml', findings: []}),
    'moderation.yml':
      'version: 1\ndomain_blocks: {must: [bad.example, www.bad.example]}\nfilters: {must: [{title: Spoilers, context: [home], keywords: [spoiler]}]}\n',
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  for (const place of ['.local/share/bash-completion/completions', '.zsh/completions', '.config/fish/completions'])
    mkdirSync(join(folder, place), {recursive: true});
  for (const date of ['2026-10-30T041005Z', '2026-10-31T020000Z']) mkdirSync(join(folder, 'backup/lists', date), {recursive: true});
  const owner = {server: sandbox.url, account: {id: '1029249416644910083', acct: 'ana'}};
  writeFileSync(join(folder, 'backup', 'backup.json'), JSON.stringify({backup: 1, ...owner}));
  const lists = 'version: 1\nfilters: {must: []}\nblocks: {must: [grumpy@pix.example]}\n';
  for (const date of ['2026-10-30T041005Z', '2026-10-31T020000Z']) {
    writeFileSync(join(folder, 'backup/lists', date, 'policy.yml'), lists);
    const sum = createHash('sha256').update(lists).digest('hex');
    writeFileSync(join(folder, 'backup/lists', date, 'SHA256SUMS'), sumsOf([`${sum}  policy.yml`]));
  }
  return folder;
}

/** Runs a line in the process of the tests if it needs a shell for nothing but to connect commands. */
function typed(line: string, around: {readonly env: Readonly<Record<string, string>>; readonly folder: string}): Promise<Ended> {
  if (line.startsWith('eval ')) return runShell('bash -c "$LINE"', {...around, env: {...around.env, LINE: line}});
  const pipeline = pipelineIn(line);
  return pipeline === undefined ? runShell(line, around) : flow(pipeline, around);
}

/** Whether this can be tried here; what cannot is skipped, and says so. */
const triable = (line: string): boolean => (hasJq || !/\bjq\b/.test(line)) && (hasBash || !line.startsWith('eval '));

// What follows a list would ask for ever where a limit of real minutes is met by a clock that skips them.
const sandbox = await startSandbox({limitsRate: false});
afterAll(() => sandbox.close());

/** Signing in has a server of its own in its tests; the sandbox does not end by itself. */
const ending = examples.filter(({id}) => !/^(auth:|doctor$|sandbox$)/.test(id));

describe('examples in the help work:', () => {
  test('every command has at least two', () => {
    for (const {id} of commands) expect(examples.filter((example) => example.id === id).length, id).toBeGreaterThanOrEqual(2);
  });

  test.skip.each(ending.filter(({line}) => !triable(line)))('$id: $line (not tried: jq or bash is not here)', () => {});

  test.concurrent.each(ending.filter(({line}) => triable(line)))('$id: $line', async (example) => {
    const {id, line} = example;
    const folder = furnished(example);
    // Other examples delete the messages that one which follows a conversation waits for.
    const own = line.includes('--follow') ? await startSandbox({limitsRate: false}) : undefined;
    const env = {PIXELCTL_SERVER: (own ?? sandbox).url, PIXELCTL_TOKEN: sandboxToken(id.split(':')), HOME: folder, SHELL: '/bin/bash'};
    const ended = await typed(line, {env, folder}).finally(() => own?.close());
    expectDiscreet(ended);
    // Nobody is there to answer a question: that much of a usage error is right.
    if (/(?:Confirmation|dm triage) needs a terminal/.test(ended.stdout + ended.stderr)) return expect(ended.status).toBe(2);
    // What it names need not be there, and what is there may differ.
    expect([0, 4, 5, 10, 11], ended.stdout + ended.stderr).toContain(ended.status);
  });

  test.concurrent.each(examples.filter(({id}) => id === 'sandbox'))('$id: $line', async ({line}) => {
    // Something else on this machine may have that port.
    const running = startShell(`exec ${line.replace('--port 8080', '--port 0')}`);
    const text = await running.seen(/ at \S+; Ctrl-C/);
    const url = / at (\S+); Ctrl-C/.exec(text)?.[1] ?? '';
    expect((await fetch(`${url}/api/v1/instance`)).status).toBeOneOf([200, 503]);
    running.child.kill('SIGTERM');
    expect((await running.ended).stderr).not.toContain('Error');
  });
});
