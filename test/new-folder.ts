import {mkdtempSync, realpathSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** A folder of its own, which goes with the run. */
export const newFolder = (): string => realpathSync(mkdtempSync(join(tmpdir(), 'pixelctl-')));
