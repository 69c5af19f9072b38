/** Imported before a program that is measured: writes its peak memory in KiB to file descriptor 3. */
import {writeSync} from 'node:fs';

process.on('exit', () => writeSync(3, String(process.resourceUsage().maxRSS)));
