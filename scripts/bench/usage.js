/** Imported before a program that is measured: writes its processor time in ms and its peak memory in MB to file descriptor 3. */
import {writeSync} from 'node:fs';

process.on('exit', () => {
  const {maxRSS, userCPUTime, systemCPUTime} = process.resourceUsage();
  writeSync(3, JSON.stringify({cpu: (userCPUTime + systemCPUTime) / 1000, memory: maxRSS / 1024}));
});
