import {readFileSync} from 'node:fs';

/** The most memory that this process ever had, in KiB. On Linux not `maxRSS`, which starts at what the parent had when it started this process. */
export function peakMemory() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS;
  return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
}
