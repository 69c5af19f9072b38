/** Loaded before a program that bench-lists.js measures: its peak memory in KiB, to file descriptor 3. */
import {writeSync} from 'node:fs';

process.on('exit', () => writeSync(3, String(process.resourceUsage().maxRSS)));
