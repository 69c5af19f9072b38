import {randomUUID} from 'node:crypto';
import {unlinkSync} from 'node:fs';
import {link, lstat, readFile, readlink, rename, rm} from 'node:fs/promises';
import {hostname} from 'node:os';
import {basename, dirname} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import * as z from 'zod/mini';
import {readText, readTextNow} from './read-file.js';
import {absent, systemCode} from './system-error.js';
import {isRunning, removeLeftovers, sweepTemporary, writeTemporary} from './whole-file.js';

interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** On Linux, the namespace of the process id, which differs between containers. */
  readonly namespace: string | null;
  /** On Linux, when the process started, in ticks since boot, because ids are reused. */
  readonly start: string | null;
}

interface ProcessStatus {
  readonly start: string;
  readonly isOver: boolean;
}

async function statusOf(pid: number): Promise<ProcessStatus | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The second field is a name in parentheses, which may contain spaces and parentheses.
  const [state, ...fields] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const start = fields[18];
  return start === undefined ? undefined : {start, isOver: state === 'Z' || state === 'X'};
}

let known: Promise<ProcessIdentity> | undefined;

async function identify(): Promise<ProcessIdentity> {
  const namespace = await readlink('/proc/self/ns/pid').catch(() => null);
  const start = (await statusOf(process.pid))?.start ?? null;
  return {pid: process.pid, host: hostname(), namespace, start};
}

export function thisProcess(): Promise<ProcessIdentity> {
  return (known ??= identify());
}

/** False only when the process has certainly ended. For other machines and containers that is never certain. */
async function mayRun({pid, host, namespace, start}: ProcessIdentity): Promise<boolean> {
  const here = await thisProcess();
  if (host !== here.host || namespace !== here.namespace) return true;
  if (!isRunning(pid)) return false;
  const status = await statusOf(pid);
  return status === undefined || start === null || (status.start === start && !status.isOver);
}

const holderShape = z.object({
  pid: z.int().check(z.positive()),
  host: z.string(),
  namespace: z.nullable(z.string()),
  start: z.nullable(z.string()),
  since: z.string(),
});

type LockHolder = z.infer<typeof holderShape>;

/** The holder of a lock did not release it in time. */
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

/** Locks are created complete. One that cannot be parsed was truncated by a power failure, and its holder is gone. */
function parseHolder(text: string): LockHolder | 'gone' {
  try {
    return holderShape.parse(JSON.parse(text));
  } catch {
    return 'gone';
  }
}

/** `free` when there is no lock, `gone` when its process ended. */
async function holderOf(path: string): Promise<LockHolder | 'free' | 'gone'> {
  const text = await readText(path).catch(absent);
  // A link to nothing also stands where the lock has to be made.
  if (text === undefined) return (await lstat(path).catch(absent)) === undefined ? 'free' : 'gone';
  const holder = parseHolder(text);
  return holder === 'gone' || (await mayRun(holder)) ? holder : 'gone';
}

/** Links a claim to a name. @returns false where the name exists */
async function linkClaim(claim: string, path: string): Promise<boolean> {
  try {
    await link(claim, path);
    return true;
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    return false;
  }
}

/**
 * Makes a claim the lock, or returns its holder. A lock whose holder is gone is replaced under a second lock, which is taken in the
 * same way. So only one process replaces it, after checking again. Renaming the second lock to the first replaces one and releases the
 * other in one step.
 */
async function take(claim: string, path: string): Promise<LockHolder | undefined> {
  if (await linkClaim(claim, path)) return undefined;
  const holder = await holderOf(path);
  if (holder === 'free') return take(claim, path);
  if (holder !== 'gone') return holder;
  const takeover = `${path}.takeover`;
  const rival = await take(claim, takeover);
  if (rival !== undefined) return rival;
  let isReplaced = false;
  try {
    if ((await holderOf(path)) === 'gone') {
      await rename(takeover, path);
      isReplaced = true;
    }
  } finally {
    if (!isReplaced) await rm(takeover, {force: true});
  }
  return isReplaced ? undefined : take(claim, path);
}

async function attempt(path: string, text: string): Promise<LockHolder | undefined> {
  const holder = await holderOf(path);
  if (holder !== 'free' && holder !== 'gone') return holder;
  await using claim = await writeTemporary(path, text, {mode: 0o600, durable: false});
  const rival = await take(claim.path, path);
  // A process that was killed while it replaced a lock left the second one.
  const takeover = `${path}.takeover`;
  if (rival === undefined && (await holderOf(takeover)) === 'gone' && (await take(claim.path, takeover)) === undefined)
    await rm(takeover, {force: true});
  return rival;
}

/** Removes the claims of processes that have ended, for this lock and for others beside it. */
async function sweepClaims(path: string): Promise<void> {
  await removeLeftovers(dirname(path), async (one) => {
    const isOwn = one.isOf(basename(path));
    if (!isOwn && !one.of.endsWith('.lock')) return false;
    const holder = parseHolder(await readText(one.path));
    return holder === 'gone' ? isOwn && !isRunning(one.writer) : !(await mayRun(holder));
  });
}

async function acquire(path: string, text: string, {patience, of = []}: Locking): Promise<void> {
  const deadline = performance.now() + patience;
  for (;;) {
    const holder = await attempt(path, text);
    if (holder === undefined) break;
    const left = deadline - performance.now();
    if (left <= 0) throw new LockHeld(path, holder);
    await sleep(Math.min(left, 10 + Math.random() * 40));
  }
  await sweepClaims(path);
  const [, lockedFile] = /^(.+)\.lock$/.exec(basename(path)) ?? [];
  await sweepTemporary(dirname(path), [lockedFile ?? [], of].flat());
}

/** Does not remove the lock of another process, which may have taken it after somebody removed this one by hand. */
function release(path: string, text: string): void {
  try {
    if (readTextNow(path) === text) unlinkSync(path);
  } catch {
    // A lock that cannot be removed does not count after this process has ended.
  }
}

/** The locks of this process. They share a listener, because Node warns of many, and each of several accounts has two locks. */
const held = new Set<() => void>();

function releaseAll(): void {
  for (const releaseOne of held) releaseOne();
}

interface Locking {
  /** How long to wait for another holder, in milliseconds. */
  readonly patience: number;
  /** Names of other files that only the holder of the lock writes. Leftovers of their temporary files, which may be private, are removed. */
  readonly of?: readonly string[] | undefined;
}

/**
 * Takes a lock, which is released when it is disposed of, or when the process exits. No other process and no other caller in this
 * one has it meanwhile. The lock of a process that ended, however it ended, does not count. One from another machine or another
 * container always counts.
 * @param path the lock's own file, in a folder that exists, on a file system with hard links
 * @throws LockHeld when another holder has not released it in time; else the system's error
 */
export async function acquireLock(path: string, locking: Locking): Promise<Disposable> {
  const own = {...(await thisProcess()), since: new Date().toISOString(), id: randomUUID()} satisfies LockHolder & {id: string};
  const text = JSON.stringify(own);
  await acquire(path, text, locking);
  const releaseThis = () => release(path, text);
  held.add(releaseThis);
  if (held.size === 1) process.on('exit', releaseAll);
  return {
    [Symbol.dispose]() {
      held.delete(releaseThis);
      if (held.size === 0) process.off('exit', releaseAll);
      releaseThis();
    },
  };
}
