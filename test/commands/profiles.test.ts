/** A repeated --profile means the same as names with commas, in every command. */
import {expect, test} from 'vitest';
import {commandIds, commandLine, writeFiles, namingFilesIn} from '../e2e/every-command.js';
import {commandWith} from '../manifest.js';
import {newFolder} from '../new-folder.js';
import {runCommand} from '../run-command.js';

const folder = newFolder();
writeFiles(folder);

/** They use no profile, or take one as an argument. */
const useNone = [
  'auth:logout',
  'auth:status',
  'auth:switch',
  'commands',
  'completion',
  'sandbox',
  'state:forget',
  'state:list',
  'validate',
];

/** They refuse something else first. */
const refusals: Readonly<Record<string, string>> = {'auth:login': 'Invalid profile name', 'dm:triage': 'needs a terminal'};

test.each(commandIds)('%s', async (id) => {
  const {args, stdin} = commandLine(id);
  const runWithProfiles = (...flags: readonly string[]) => {
    const words = namingFilesIn(folder, args).filter((word, index) => word !== '--profile' && args[index - 1] !== '--profile');
    return runCommand([...words, ...flags], {input: stdin, environment: {PIXELCTL_SERVER: undefined, PIXELCTL_TOKEN: undefined}});
  };
  const repeated = await runWithProfiles('-p', 'ana', '-p', 'bob');
  expect(repeated).toEqual(await runWithProfiles('-p', 'ana,bob'));
  if (useNone.includes(id)) return;
  const flag = commandWith(id)?.flags['profile'];
  const isForMany = flag?.type === 'option' && flag.multiple === true;
  expect(repeated.status).toBe(2);
  expect(repeated.stdout + repeated.stderr).toContain(
    isForMany ? 'ana' : (refusals[id] ?? 'This command takes one profile, not several: ana,bob'),
  );
});
