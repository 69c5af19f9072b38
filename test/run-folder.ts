/**
 * One temporary folder for a whole run, in memory where that is possible: what tests leave in it goes with the run, also what child
 * processes leave. Processes of tests outlive their files, so that no file can tidy up what several share.
 */
import {execFileSync} from 'node:child_process';
import {chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** Where files are kept in memory on Linux: a disk that has to sync takes a fifth of the time of all tests. */
const memory = '/dev/shm';

/** Bytes, many times what a run writes. Containers have 64 MiB there unless they are told otherwise. */
const minFree = 4 * 2 ** 30;

/** A new folder, unless files there cannot be made, cannot be run, or have too little room. */
function folderInMemory(): string | undefined {
  let folder: string | undefined;
  try {
    const {bavail, bsize} = statfsSync(memory);
    if (bavail * bsize < minFree) return undefined;
    folder = mkdtempSync(join(memory, 'pixelctl-'));
    const script = join(folder, 'script');
    writeFileSync(script, '#!/bin/sh\n', {mode: 0o755});
    execFileSync(script);
    rmSync(script);
    return folder;
  } catch {
    if (folder !== undefined) rmSync(folder, {recursive: true});
    return undefined;
  }
}

/** Runs once, before the first process of tests, which gets this setting. @returns what ends the run */
export default function makeRunFolder(): () => void {
  const before = process.env['TMPDIR'];
  const folder = folderInMemory() ?? mkdtempSync(join(tmpdir(), 'pixelctl-'));
  // Some tests are about other users, who must get through.
  chmodSync(folder, 0o711);
  process.env['TMPDIR'] = folder;
  return () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    rmSync(folder, {recursive: true, force: true});
  };
}
