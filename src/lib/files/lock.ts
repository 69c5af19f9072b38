/** Locks that one process holds at a time. */
import {randomUUID} from 'node:crypto';
import {readFileSync, unlinkSync} from 'node:fs';
import {link, readFile, readlink, rename, rm} from 'node:fs/promises';
import {hostname} from 'node:os';
import {setTimeout as sleep} from 'node:timers/promises';
import * as z from 'zod/mini';
import {readText} from './read-file.js';
import {absent, systemCode} from './system-error.js';
import {sweepTemporary, writeTemporary} from './whole-file.js';

interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** On Linux the namespace that the number belongs to: containers count on their own. */
  readonly namespace: string | null;
  /** On Linux when it began, in ticks since the machine did: numbers are used again. */
  readonly start: string | null;
}

interface ProcessStatus {
  readonly start: string;
  readonly isOver: boolean;
}

async function statusOf(pid: number): Promise<ProcessStatus | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The second field is a name in parentheses, which may itself hold spaces and parentheses.
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

function answers(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}

/** False only when a process is certainly over; of other machines and containers nothing is certain. */
async function mayRun({pid, host, namespace, start}: ProcessIdentity): Promise<boolean> {
  const here = await thisProcess();
  if (host !== here.host || namespace !== here.namespace) return true;
  if (!answers(pid)) return false;
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
    if (systemCode(error) !== 'EEXIST') throw error;
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
  await using claim = await writeTemporary(path, text, {mode: 0o600, durable: false});
  return await take(claim.path, path);
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
 * Takes a lock, which is released when it is disposed of, or when the process exits. No other process and no other caller in this
 * one has it meanwhile. The lock of a process that ended, however it ended, does not count. One from another machine or another
 * container always counts.
 * @param path the lock's own file, in a folder that exists, on a file system with hard links
 * @param patience milliseconds to wait for another holder
 * @throws LockHeld when another holder still has it by then; else the system's error
 */
export async function acquireLock(path: string, {patience}: {readonly patience: number}): Promise<Disposable> {
  const own: LockHolder = {...(await thisProcess()), since: new Date().toISOString()};
  const text = JSON.stringify({...own, id: randomUUID()});
  await acquire(path, text, patience);
  const onExit = (): void => release(path, text);
  process.on('exit', onExit);
  return {
    [Symbol.dispose]() {
      process.off('exit', onExit);
      release(path, text);
    },
  };
}
