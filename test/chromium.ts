/** The browser that tests use, where the machine has one. */
import {accessSync, constants} from 'node:fs';
import {delimiter, join} from 'node:path';

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const installed = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'chromium'))
  .find(isProgram);

/** Says what goes untested without it. */
export function chromiumFor(what: string): string | undefined {
  if (installed === undefined) process.stderr.write(`${what} is not tested in a browser: there is no chromium on the path\n`);
  return installed;
}

export const chromiumArguments = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
