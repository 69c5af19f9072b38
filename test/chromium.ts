/** The browser that tests use, where the machine has one. */
import {accessSync, constants} from 'node:fs';
import {delimiter, join} from 'node:path';
import {chromium, type BrowserContext, type LaunchOptions} from 'playwright-core';

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

const chromiumArguments = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts it with a profile of its own. It may take for everything as long as the machine needs. */
export async function launchChromium(
  profile: string,
  options: LaunchOptions & {readonly javaScriptEnabled?: boolean} = {},
): Promise<BrowserContext> {
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: installed ?? '',
    args: chromiumArguments,
    timeout: 0,
    ...options,
  });
  context.setDefaultTimeout(0);
  return context;
}
