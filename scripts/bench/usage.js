/** Imported before a program that is measured: writes its processor time in ms and its peak memory in MB to file descriptor 3. */
import {writeSync} from 'node:fs';
import {peakMemory} from './peak-memory.js';

process.on('exit', () => {
  const {userCPUTime, systemCPUTime} = process.resourceUsage();
  writeSync(3, JSON.stringify({cpu: (userCPUTime + systemCPUTime) / 1000, memory: peakMemory() / 1024}));
});
