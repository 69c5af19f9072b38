/**
 * One temporary folder for a whole run, and one in memory where there is one: what tests leave in them goes with the run,
 * also what child processes leave. Processes of tests outlive their files, so that no file can tidy up what several share.
 */
import {accessSync, chmodSync, constants, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** Where files are kept in memory on Linux: a disk that has to sync takes most of the time of tests that write many files. */
function memory(): string {
  try {
    accessSync('/dev/shm', constants.W_OK | constants.X_OK);
    return '/dev/shm';
  } catch {
    return tmpdir();
  }
}

/** Runs once, before the first process of tests, which gets these settings. @returns what ends the run */
export default function makeRunFolders(): () => void {
  const before = process.env['TMPDIR'];
  const inMemory = mkdtempSync(join(memory(), 'pixelctl-'));
  const folder = mkdtempSync(join(tmpdir(), 'pixelctl-'));
  // Some tests are about other users, who must get through.
  for (const each of [inMemory, folder]) chmodSync(each, 0o711);
  process.env['PIXELCTL_TEST_MEMORY'] = inMemory;
  process.env['TMPDIR'] = folder;
  return () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    for (const each of [inMemory, folder]) rmSync(each, {recursive: true, force: true});
  };
}
