/** Work that only one process does at a time. */
import {randomUUID} from 'node:crypto';
import {readFileSync, unlinkSync} from 'node:fs';
import {link, rename, rm} from 'node:fs/promises';
import {setTimeout as sleep} from 'node:timers/promises';
import * as z from 'zod/mini';
import {readText} from './read-file.js';
import {mayRun, thisProcess} from './running-process.js';
import {absent, codeOf} from './system-error.js';
import {sweepTemporary, writeTemporary} from './temporary-file.js';

const holderShape = z.object({
  pid: z.int().check(z.positive()),
  host: z.string(),
  namespace: z.nullable(z.string()),
  start: z.nullable(z.string()),
  since: z.string(),
});

/** Who holds a lock. */
export type LockHolder = z.infer<typeof holderShape>;

/** A lock that its holder did not give back in time. */
export class LockHeld extends Error {
  override readonly name = 'LockHeld';
  readonly code = 'ELOCKED';
  readonly path: string;
  readonly holder: LockHolder;

  constructor(path: string, holder: LockHolder) {
    super(`Process ${holder.pid} on ${holder.host} holds ${path} since ${holder.since}`);
    this.path = path;
    this.holder = holder;
  }
}

/** Locks appear complete, so one that cannot be read was cut by a power failure, and its holder is gone. */
function parseHolder(text: string): LockHolder | 'gone' {
  try {
    return holderShape.parse(JSON.parse(text));
  } catch {
    return 'gone';
  }
}

/** `free` when there is no lock, `gone` when it is of a process that ended. */
async function holderOf(path: string): Promise<LockHolder | 'free' | 'gone'> {
  const text = await readText(path).catch(absent);
  if (text === undefined) return 'free';
  const holder = parseHolder(text);
  return holder === 'gone' || (await mayRun(holder)) ? holder : 'gone';
}

/** Links a claim to a name that nobody has. */
async function linked(claim: string, path: string): Promise<boolean> {
  try {
    await link(claim, path);
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    return false;
  }
}

/**
 * Makes a claim the lock, or says who is in the way. A lock whose holder is gone is replaced under a second lock, which is
 * claimed in the same manner: so only one process replaces it, and has looked again when nobody else could. Renaming the
 * second lock onto the first does both at once, replacing and giving back.
 */
async function take(claim: string, path: string): Promise<LockHolder | undefined> {
  if (await linked(claim, path)) return undefined;
  const holder = await holderOf(path);
  if (holder === 'free') return take(claim, path);
  if (holder !== 'gone') return holder;
  const takeover = `${path}.takeover`;
  const rival = await take(claim, takeover);
  if (rival !== undefined) return rival;
  try {
    if ((await holderOf(path)) === 'gone') {
      await rename(takeover, path);
      return undefined;
    }
  } catch (error) {
    await rm(takeover, {force: true});
    throw error;
  }
  await rm(takeover, {force: true});
  return take(claim, path);
}

async function attempt(path: string, text: string): Promise<LockHolder | undefined> {
  const holder = await holderOf(path);
  if (holder !== 'free' && holder !== 'gone') return holder;
  const claim = await writeTemporary(path, text, {mode: 0o600, durable: false});
  try {
    return await take(claim, path);
  } finally {
    await rm(claim, {force: true});
  }
}

async function acquire(path: string, text: string, patience: number): Promise<void> {
  const deadline = performance.now() + patience;
  for (;;) {
    const holder = await attempt(path, text);
    if (holder === undefined) break;
    const left = deadline - performance.now();
    if (left <= 0) throw new LockHeld(path, holder);
    await sleep(Math.min(left, 10 + Math.random() * 40));
  }
  await sweepTemporary(path);
}

/** Somebody may have removed the lock by hand, and another process may have taken it: then it stays. */
function release(path: string, text: string): void {
  try {
    if (readFileSync(path, 'utf8') === text) unlinkSync(path);
  } catch {
    // A lock that cannot be removed is of no account once this process is over.
  }
}

/**
 * Does the work while no other process does work under the same lock, and no other caller in this one. The lock of a
 * process that ended, however it ended, does not count. On another machine or in another container it always does.
 * @param path the lock's own file, in a folder that exists and whose file system knows hard links
 * @param patience milliseconds to wait for another holder
 * @throws LockHeld when patience ends; else the system's error, or what the work throws
 */
export async function withLock<Result>(
  path: string,
  action: () => Promise<Result>,
  {patience}: {readonly patience: number},
): Promise<Result> {
  const own: LockHolder = {...(await thisProcess()), since: new Date().toISOString()};
  const text = JSON.stringify({...own, id: randomUUID()});
  await acquire(path, text, patience);
  const giveBack = (): void => release(path, text);
  process.on('exit', giveBack);
  try {
    return await action();
  } finally {
    process.off('exit', giveBack);
    giveBack();
  }
}
