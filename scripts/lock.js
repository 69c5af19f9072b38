import {mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';

/** Does the work while no other process does work under the same lock. A lock whose process is gone does not count. */
export async function locked(folder, work) {
  await take(folder);
  try {
    return await work();
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

async function take(folder) {
  mkdirSync(dirname(folder), {recursive: true});
  for (let said = false; ; ) {
    try {
      mkdirSync(folder);
      writeFileSync(join(folder, 'pid'), String(process.pid));
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const holder = holderOf(folder);
    if (!holder) {
      clear(folder);
      continue;
    }
    if (!said) process.stderr.write(`Waiting for another set-up to end (${holder})\n`);
    said = true;
    await sleep(200);
  }
}

/** Whoever holds the lock; undefined when nobody does any more. */
function holderOf(folder) {
  try {
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    if (pid) return isAlive(pid) ? `process ${pid}` : undefined;
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  return isFresh(folder) ? 'it just began' : undefined;
}

/** Between making the folder and naming itself in it, a process has no name yet. */
function isFresh(folder) {
  const age = Date.now() - (statSync(folder, {throwIfNoEntry: false})?.mtimeMs ?? 0);
  return age < 5000;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Moved away first: of two that clear at once, only one can move it, and neither removes a newer lock file by file. */
function clear(folder) {
  const aside = `${folder}.${process.pid}`;
  try {
    renameSync(folder, aside);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  rmSync(aside, {recursive: true, force: true});
}
