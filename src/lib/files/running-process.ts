/** Processes of this machine and others, and whether they may still run. */
import {readFile, readlink} from 'node:fs/promises';
import {hostname} from 'node:os';

export interface ProcessIdentity {
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
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** False only when a process is certainly over; of other machines and containers nothing is certain. */
export async function mayRun({pid, host, namespace, start}: ProcessIdentity): Promise<boolean> {
  const here = await thisProcess();
  if (host !== here.host || namespace !== here.namespace) return true;
  if (!answers(pid)) return false;
  const status = await statusOf(pid);
  return status === undefined || start === null || (status.start === start && !status.isOver);
}
