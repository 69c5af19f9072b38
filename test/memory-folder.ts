import {mkdtempSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** A new temporary folder for tests that write many files: in memory where that is possible. */
export function memoryFolder(prefix: string): string {
  return mkdtempSync(join(process.env['PIXELCTL_TEST_MEMORY'] ?? tmpdir(), prefix));
}
