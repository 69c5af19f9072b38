/** The state files of an apply, while another one makes its own. */
import {mkdtempSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {StateFiles} from '../../../../src/lib/policy/state-file/files.js';
import {Failure} from '../../../../src/lib/client/failure.js';
import {ownershipText} from '../../../../src/lib/policy/state-file/state-file.js';

const server = new URL('https://pix.example');
const target = {account: '@ana', owner: 'account', server} as const;

test('an apply is refused that another one with another state file came before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pixelctl-state-'));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  const policy = join(folder, 'p.yml');
  const names = () => readdirSync(folder).sort();
  {
    using files = new StateFiles(false);
    // Alone it begins with the file beside the policy, and among several the other one has made a file of its own by the time of the lock.
    const open = files.open.bind(files);
    files.open = async (path) => {
      const record = {server: server.origin, account: '@ana', policy: 'p.yml', owned: [], applies: []};
      writeFileSync(`${policy}.ana@pix.example.state.json`, ownershipText({version: 2, records: [record]}));
      return open(path);
    };
    const failure = await files.recordsForApply(policy, {}, {target, isOfSeveral: false, server: false}).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Failure);
    expect(failure).toMatchObject({
      code: 'local',
      message: `Another pixelctl has just applied ${policy} to @ana on pix.example: nothing was sent`,
      details: {hint: 'run this again'},
    });
    expect(names()).toContain('p.yml.ana@pix.example.lock');
  }
  expect(names()).toEqual(['p.yml.ana@pix.example.state.json']);
});
