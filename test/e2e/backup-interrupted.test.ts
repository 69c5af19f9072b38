import {join} from 'node:path';
import {expect, test} from 'vitest';
import {filesIn} from './archives.js';
import {people, policyOf, serverWith, someLists} from './backups.js';
import {canMount} from './child-process.js';
import {newFolder, program, startProgram} from './program.js';

test.skipIf(!canMount)('a full disk ends a backup with 9, and what was whole stays; with room the next run does the rest', async () => {
  const many = Array.from({length: 40}, (_, index) => `user${index}@far.example`);
  await using place = await serverWith([...people, ...many], {...someLists, mutes: many});
  const env = {PIXELCTL_SERVER: place.sandbox.url, PIXELCTL_TOKEN: place.sandbox.tokens.all};
  const [disk, copy] = [newFolder(), newFolder()];
  const words = program.map((word) => `'${word}'`).join(' ');
  const line = [
    'mount -t tmpfs -o mode=700,size=40k tmpfs "$0"',
    `${words} backup --to "$0/b" --no-messages >&2; echo full $?`,
    'mkdir "$1/full"; cp -r "$0/b/." "$1/full"',
    'mount -o remount,size=5m "$0"',
    `${words} backup --to "$0/b" --no-messages >&2; echo again $?`,
    'mkdir "$1/whole"; cp -r "$0/b/." "$1/whole"',
  ].join('\n');
  const {stdout, stderr} = await startProgram('unshare', ['-rm', 'sh', '-c', line, disk, copy], {env}).ended;
  expect({stdout, stderr}).toEqual({stdout: 'full 9\nagain 0\n', stderr: expect.stringMatching(/Cannot write to .*: the disk is full/)});
  expect(filesIn(join(copy, 'full'))).toContain('backup.json');
  expect(filesIn(join(copy, 'full'))).not.toContain('README.md');
  expect(policyOf(join(copy, 'whole'))).toContain('user39@far.example');
});
