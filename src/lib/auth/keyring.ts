/** Secrets in the system's keyring: Keychain, Credential Manager or Secret Service. */
import {execFile} from 'node:child_process';
import {createRequire} from 'node:module';
import {extname, join} from 'node:path';
import {promisify} from 'node:util';
import * as z from 'zod/mini';
import {isSingleFile} from '../files/runtime.js';
import {secretShape, type Secret} from './profile.js';

/** Stores secrets, each under a unique key that is never used again. */
export interface Vault {
  /** @returns undefined when there is no secret under this key */
  read(key: string): Promise<Secret | undefined>;
  write(key: string, secret: Secret): Promise<void>;
  /** Does nothing when there is no secret under this key. */
  remove(key: string): Promise<void>;
}

/** A keyring that does not work. The message names neither secrets nor their keys. */
export class KeyringUnavailable extends Error {
  override readonly name = 'KeyringUnavailable';

  /** @param installation how to install what is missing */
  constructor(
    message: string,
    readonly installation?: string,
  ) {
    super(message);
  }
}

/** Milliseconds after which a keyring that does not answer counts as unavailable. */
const timeout = 3000;

/** Milliseconds for reading: the keyring may be locked, and ask for a password on the desktop. */
const unlockTimeout = 30_000;

const service = 'pixelctl';
const program = join(import.meta.dirname, `keyring-process${extname(import.meta.filename)}`);
const answerShape = z.union([z.object({found: z.nullable(z.string())}), z.object({problem: z.string()})]);

/** Native code, so users install it themselves: package.json names it as an optional peer. */
const nativePackage = '@napi-rs/keyring';

/** Whether there is a package to load. Finding out here is much quicker than in the other process. */
function isInstalled(): boolean {
  if (isSingleFile) return true;
  try {
    createRequire(import.meta.url).resolve(nativePackage);
    return true;
  } catch {
    return false;
  }
}

async function outputOf(args: readonly string[], input: string, timeout: number): Promise<string> {
  const running = promisify(execFile)(process.execPath, [program, ...args], {timeout, killSignal: 'SIGKILL'});
  // A child that ends before it has read everything reports the reason itself.
  running.child.stdin?.on('error', () => {}).end(input);
  try {
    return (await running).stdout;
  } catch (error) {
    // The error has no cause, because that would carry the output, which is the secret.
    const isLate = typeof error === 'object' && error !== null && 'killed' in error && error.killed === true;
    throw new KeyringUnavailable(isLate ? `no response within ${timeout / 1000} seconds` : 'its helper process failed');
  }
}

async function ask(action: 'read' | 'remove' | 'write', account: string, timeout: number, secret = ''): Promise<string | null> {
  if (!isInstalled()) {
    throw new KeyringUnavailable(`the package ${nativePackage} is not installed`, `run \`npm install --global ${nativePackage}@2\``);
  }
  const answer = answerShape.parse(JSON.parse(await outputOf([action, service, account], secret, timeout)));
  if ('problem' in answer) throw new KeyringUnavailable(answer.problem);
  return answer.found;
}

function parse(text: string): Secret {
  try {
    return secretShape.parse(JSON.parse(text));
  } catch {
    // The parser's message would quote the secret.
    throw new KeyringUnavailable('its entry is invalid');
  }
}

/** Every call fails with KeyringUnavailable where there is no keyring, or it is locked. */
export const systemKeyring: Vault = {
  async read(key) {
    const text = await ask('read', key, unlockTimeout);
    return text === null ? undefined : parse(text);
  },
  async write(key, secret) {
    await ask('write', key, timeout, JSON.stringify(secret));
  },
  async remove(key) {
    await ask('remove', key, timeout);
  },
};

/** Why the system's keyring cannot be used; undefined when it can. Stores nothing. */
export async function keyringProblem(): Promise<string | undefined> {
  try {
    await ask('read', 'probe', timeout);
    return undefined;
  } catch (error) {
    if (error instanceof KeyringUnavailable) return error.message;
    throw error;
  }
}
