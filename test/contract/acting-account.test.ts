/** Which account a command that writes acts as: named when there are several profiles, and confirmed when the profile is protected. */
import {tmpdir} from 'node:os';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {ProfileStore} from '../../src/lib/auth/profile-store.js';
import {profileOn} from '../e2e/signing-in.js';
import {account, conversation} from '../e2e/demo-world.js';
import {everyKind} from '../policy-desk.js';
import {sandboxToken, table} from '../endpoints/table.js';
import {commands} from '../manifest.js';
import {recordedSandbox, type RecordedSandbox} from '../e2e/server.js';
import {runCommand, type Around, type Run} from '../run-command.js';
import {demoFor} from '../sandbox/start.js';
import {someOf} from './sample.js';

interface Case {
  readonly command: string;
  /** FOLDER stands for a folder with `p.yml` in it. */
  readonly args: readonly string[];
  readonly stdin?: string | undefined;
  /** At a terminal, where it can only be used there. */
  readonly typing?: Around['typing'];
  /** Command lines before it. */
  readonly before?: readonly (readonly string[])[];
}

/** Those that write files of this machine alone send nothing. */
const isLocal = (id: string): boolean => /^(?:(?:completion|state):|dm:export$)/.test(id);
/** One decides what it writes while it runs, so that there is nothing to try before. */
const interactive = 'dm:triage';
const writes = commands
  .filter(({id, flags}) => id === interactive || ('dry-run' in flags && !isLocal(id)))
  .map(({id}) => id.replaceAll(':', ' '));

const own: readonly Case[] = [
  {command: 'api', args: ['api', 'POST', `/api/v1/accounts/${account('bob')}/mute`]},
  {command: 'apply', args: ['apply', 'FOLDER/p.yml']},
  {command: 'undo', args: ['undo', 'FOLDER/p.yml'], before: [['apply', 'FOLDER/p.yml', '--yes', '--quiet']]},
  {
    command: 'restore',
    args: ['restore', 'FOLDER/backup'],
    before: [
      ['backup', '--to', 'FOLDER/backup', '--no-messages', '--quiet'],
      ['blocks', 'remove', account('troll42'), '--yes', '--quiet'],
    ],
  },
  {command: 'dm clear', args: ['dm', 'clear', conversation('bob').id, '--hide']},
  {command: 'dm triage', args: ['dm', 'triage'], typing: ['h\r', 'q\r']},
];

const cases: readonly Case[] = [
  ...table
    .filter(({command}) => writes.includes(command))
    .map(({command, on2026: {args, stdin}}) => ({
      command,
      stdin,
      args: args.filter((word) => word !== '--yes').map((word) => word.replace('harbour.jpg', 'FOLDER/harbour.jpg')),
    })),
  ...own,
];

test('covers every command that writes', () => {
  expect(cases.map(({command}) => command).toSorted()).toEqual(writes.toSorted());
});

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pixelctl-acting-'));
  writeFileSync(join(folder, 'harbour.jpg'), Buffer.from([0xff, 0xd8, 0xff, 0xe0]));
});
afterAll(() => rmSync(folder, {recursive: true, force: true}));

/** Runs it as ana, who is active, beside bob. */
async function runAs(
  server: RecordedSandbox,
  {args, stdin, typing, before}: Case,
  isProtected: boolean,
  ...flags: readonly string[]
): Promise<Run> {
  const place = mkdtempSync(join(folder, 'config-'));
  const store = new ProfileStore(join(place, 'config'), {storage: 'file'});
  for (const acct of ['bob', 'ana']) {
    const profile = profileOn(server.url, {name: acct, account: {id: account(acct), acct}, isProtected});
    await store.save(profile, {accessToken: acct === 'ana' ? sandboxToken(args) : `sandbox-${acct}`});
  }
  writeFileSync(join(place, 'p.yml'), everyKind);
  const environment = {PIXELCTL_SERVER: undefined, PIXELCTL_TOKEN: undefined, PIXELCTL_CONFIG_DIR: join(place, 'config')};
  const words = (line: readonly string[]) =>
    line.map((word) => word.replace('FOLDER/harbour', `${folder}/harbour`).replace('FOLDER', place));
  for (const line of before ?? []) expect(await runCommand(words(line), {environment})).toMatchObject({status: 0});
  return runCommand([...words(args), ...flags], {environment, input: stdin, typing});
}

const changes = ({exchanges}: RecordedSandbox): readonly string[] =>
  exchanges.flatMap(({received: {method, target}}) => (method === 'GET' ? [] : [`${method} ${target}`]));

describe.each(cases)('$command', (each) => {
  test.each(someOf(['--json', '--output=table'], 1, each.command))(
    'names the account it acts as with %s when there are several profiles, but not with --quiet',
    async (format) => {
      await using server = await recordedSandbox({seed: demoFor(sandboxToken(each.args))});
      const {status, stderr} = await runAs(server, each, false, '--yes', format);
      expect(status, stderr).toBe(0);
      expect(stderr.split('\n').filter((line) => line === `as @ana on ${new URL(server.url).host}`)).toHaveLength(1);
      const quiet = await runAs(server, each, false, '--yes', format, '--quiet');
      expect(quiet.stderr).not.toMatch(/^as @/m);
    },
  );

  test('asks before it writes with a protected profile', async () => {
    await using server = await recordedSandbox({seed: demoFor(sandboxToken(each.args))});
    const isAsked = each.typing !== undefined;
    const {status, stdout, stderr} = await runAs(server, isAsked ? {...each, typing: 'n\n'} : each, true);
    expect({status, stdout, stderr}).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(isAsked ? /a protected profile[^]*Cancelled\. Nothing was sent\./ : /confirmation needs a terminal/i),
    });
    if (each.before === undefined) expect(changes(server)).toEqual([]);
  });
});
