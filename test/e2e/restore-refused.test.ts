/** What a backup and a restore say of what is refused. */
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {listsIn, newBackup, people, serverWith, someLists, type Lists} from './backups.js';

async function backupOf(lists: Lists): Promise<string> {
  await using place = await serverWith(people, lists);
  const to = newBackup();
  await place.run('backup', '--to', to, '--no-messages');
  return to;
}

test('what a limit of the server holds back is told in one sentence, without advice that no backup can follow', async () => {
  const domains = (count: number, from = 0) => Array.from({length: count}, (_, index) => `s${index + from}.example`);
  const to = await backupOf({domainBlocks: domains(12)});
  await using place = await serverWith(people, {domainBlocks: domains(45, 100)}, {like: '0.12.6'});
  const {status, stderr} = await place.run('restore', to, '--yes');
  expect(status).toBe(10);
  expect(stderr).toMatch(/^The limit of the server is reached, and 7 domain blocks were held back: /m);
  expect(stderr).toMatch(/^Hint: ask its administrators to raise the limit; the next run tries one again$/m);
});

describe('what a backup cannot read', () => {
  test('the lists of admins are told with how to sign in as one', async () => {
    await using place = await serverWith(people, someLists);
    const to = newBackup();
    const {status, stderr} = await place.runAs(place.sandbox.tokens.users['bob'], 'backup', '--to', to, '--no-messages', '--admin');
    expect(status).toBe(11);
    expect(stderr).toMatch(/^Error: admin_domain_blocks failed: .*only for admins \(403\).*; the rest is in .*$/m);
    expect(stderr).toMatch(/^Hint: this needs the token of an admin with the scope admin:read: `pixelctl auth login --admin` gets one$/m);
    expect(existsSync(join(listsIn(to), 'server.yml'))).toBe(false);
  });
});
