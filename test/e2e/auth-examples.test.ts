/** The examples of the commands that sign in, on a server and with profiles that there are. */
import {spawnSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {commands} from '../manifest.js';
import {newFolder, startShell} from './program.js';
import {recordedSandbox} from './server.js';
import {browse, machineWith, profileOn} from './signing-in.js';
import {expectDiscreet} from './told.js';

const examples = commands
  .filter(({id}) => /^(auth:|doctor$)/.test(id))
  .flatMap(({examples: written = []}) =>
    written.map((example) => (typeof example === 'string' ? example : example.command).replaceAll('<%= config.bin %>', 'pixelctl')),
  );

const triable = (line: string): boolean =>
  ['jq', 'curl'].every((tool) => !line.includes(tool) || spawnSync(tool, ['--version']).error === undefined);

test.concurrent.each(examples.filter((line) => triable(line)))('%s', async (line) => {
  await using server = await recordedSandbox();
  const {tokens} = server.sandbox;
  const names = ['admin@pix.example', 'ana@pix.example'];
  const around = await machineWith(...names.map((name) => [profileOn(server.url, {name}), {accessToken: tokens.all}] as const));
  const folder = newFolder();
  writeFileSync(join(folder, 'token.txt'), tokens.all);
  const isInBrowser = line.includes('auth login') && !line.includes('--with-token');
  const running = startShell(
    line.replace('auth login pix.example', `auth login ${server.url}`).replace('https://pix.example', server.url),
    {env: around.env, folder},
  );
  if (isInBrowser) await browse(await around.opened(), {decision: 'approve', account: line.includes('--admin') ? 'admin' : 'ana'});
  const ended = await running.ended;
  expectDiscreet(ended, line.includes('auth token') ? [] : [tokens.all]);
  // A token that was pasted cannot be renewed, and is told to be one.
  expect({line, ...ended}).toMatchObject(
    line.includes('auth refresh') ? {status: 2, stderr: expect.stringContaining('cannot be renewed')} : {status: 0},
  );
});

test('every auth command has two examples', () => {
  expect(examples.length).toBeGreaterThanOrEqual(2 * commands.filter(({id}) => /^(auth:|doctor$)/.test(id)).length);
});
