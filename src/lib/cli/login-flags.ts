/** What the flags of `auth login` say. */
import {Failure} from '../client/failure.js';
import type {Storage} from '../auth/profile.js';
import type {Typed} from './pixelctl-command.js';

export const usualScopes = ['read', 'write', 'push'];

export function scopesIn(flag: unknown): string[] {
  const given = Array.isArray(flag) ? flag.flatMap((text) => String(text).split(/[\s,]+/)).filter((scope) => scope !== '') : [];
  return given.length === 0 ? usualScopes : [...new Set(given)];
}

/** @throws Failure `usage` for what is no port */
export function portIn(flag: unknown): number | undefined {
  if (flag === undefined) return undefined;
  const port = Number(flag);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Failure('usage', '--port takes a number from 1 to 65535');
}

/**
 * Where new tokens go, if that was said.
 * @throws Failure `usage` for a place that there is not: nothing is kept elsewhere than somebody thinks
 */
export function storageIn(flags: Typed['flags'], environment: Readonly<Record<string, string | undefined>>): Storage | undefined {
  if (flags['insecure-storage'] === true) return 'file';
  const named = environment['PIXELCTL_STORAGE'] ?? '';
  if (named === '') return undefined;
  if (named === 'file' || named === 'keyring') return named;
  throw new Failure('usage', 'PIXELCTL_STORAGE knows no such place', {hint: 'file or keyring'});
}

/** @throws Failure `usage` for flags of the browser together with a token */
export function checkTogether(flags: Typed['flags']): void {
  const ofBrowser = ['scope', 'no-browser', 'port'].find((name) => flags[name] !== undefined && flags[name] !== false);
  if (flags['with-token'] !== true || ofBrowser === undefined) return;
  throw new Failure('usage', `--with-token and --${ofBrowser} do not go together`);
}
