import {readFileSync} from 'node:fs';

/** The most memory that this process ever had, in KiB. Linux counts what its parent had before it started the program in the other number. */
export function peakMemory() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS;
  return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
}
