/** Imported before a program that is measured: writes its processor time in ms and its peak memory in MB to file descriptor 3. */
import {readFileSync, writeSync} from 'node:fs';

/** In KiB. Linux counts what its parent had before it started the program in the other number. */
function peakMemory(usage) {
  if (process.platform !== 'linux') return usage.maxRSS;
  return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
}

process.on('exit', () => {
  const usage = process.resourceUsage();
  writeSync(3, JSON.stringify({cpu: (usage.userCPUTime + usage.systemCPUTime) / 1000, memory: peakMemory(usage) / 1024}));
});
