/** Stores secrets in the keyring if there is one, else in a file that only its owner can read, as all files here. */
import * as z from 'zod/mini';
import {commandText} from '../files/command-text.js';
import {Failure, localFailure} from '../client/failure.js';
import {NotPrivate} from '../files/own-folder.js';
import {readPrivate} from '../files/private-file.js';
import {systemCode} from '../files/system-error.js';
import {writeWhole} from '../files/whole-file.js';
import {parseExact} from '../json/exact.js';
import {KeyringUnavailable, systemKeyring, type Vault} from './keyring.js';
import {secretShape, type Secret, type SecretLocation, type Storage} from './profile.js';

/** What to do when the files cannot be used. */
export const otherFolder = 'set PIXELCTL_CONFIG_DIR to use another folder';

export class CorruptFile extends Error {
  override readonly name = 'CorruptFile';
  readonly path: string;

  /** @param fault what is wrong, without any content of the file: it may be a secret */
  constructor(path: string, fault: string) {
    super(`${path} is corrupt: ${fault}`);
    this.path = path;
  }
}

/**
 * @returns undefined when there is no such file
 * @throws CorruptFile when its content is invalid; NotPrivate when others could read or change it; Failure `local` when it cannot be read
 */
export async function readJson<Value>(path: string, shape: z.ZodMiniType<Value>): Promise<Value | undefined> {
  const text = await readPrivate(path).catch((error: unknown) => {
    throw error instanceof NotPrivate || systemCode(error) === undefined ? error : localFailure(`Cannot read ${path}`, error, otherFolder);
  });
  if (text === undefined) return undefined;
  let value;
  try {
    value = parseExact(text);
  } catch {
    // The parser's message quotes the text, which may be a secret.
    throw new CorruptFile(path, 'it is not JSON');
  }
  const {data, error} = shape.safeParse(value);
  if (error === undefined) return data;
  throw new CorruptFile(path, `${error.issues[0]?.path.join('.') || 'its content'} is invalid`);
}

export function writeJson(path: string, value: unknown): Promise<void> {
  return writeWhole(path, `${JSON.stringify(value, null, 2)}\n`);
}

// This is a list, and not an object by key, because the message about a corrupt file names the path of the fault: no content may be in it.
const shape = z.looseObject({secrets: z.array(z.looseObject({key: z.string(), secret: secretShape}))});

/** The vault that is a file. Writers must hold the store's lock. */
export function secretFile(path: string): Vault {
  const read = async () => (await readJson(path, shape)) ?? {secrets: []};
  return {
    async read(key) {
      return (await read()).secrets.find((each) => each.key === key)?.secret;
    },
    async write(key, secret) {
      const {secrets, ...rest} = await read();
      await writeJson(path, {...rest, secrets: [...secrets.filter((each) => each.key !== key), {key, secret}]});
    },
    async remove(key) {
      const {secrets, ...rest} = await read();
      const left = secrets.filter((each) => each.key !== key);
      if (left.length < secrets.length) await writeJson(path, {...rest, secrets: left});
    },
  };
}

export interface Stored {
  readonly location: SecretLocation;
  readonly note?: string | undefined;
}

export class Secrets {
  readonly #vaults: Readonly<Record<Storage, Vault>>;

  /** @param path the file for secrets that are in no keyring @param keyring the system's unless given */
  constructor(
    readonly path: string,
    keyring?: Vault,
  ) {
    const file = secretFile(path);
    // The system's keyring is loaded when a secret is in it.
    this.#vaults = {
      file,
      get keyring() {
        return keyring ?? systemKeyring;
      },
    };
  }

  /** @throws CorruptFile when the content of the file is invalid */
  async checkFile(): Promise<void> {
    await this.#vaults.file.read('');
  }

  /** @throws Failure `local` when the keyring that holds it cannot be used */
  async read({key, storage}: SecretLocation): Promise<Secret | undefined> {
    try {
      return await this.#vaults[storage].read(key);
    } catch (error) {
      if (!(error instanceof KeyringUnavailable)) throw error;
      throw new Failure('local', `The keyring that holds the token cannot be used: ${error.message}`, {
        hint: `${error.installation ?? 'unlock it'}; or sign in again with \`${commandText('auth login', {flags: {'insecure-storage': true}})}\`, which stores the token in a file`,
      });
    }
  }

  /**
   * Stores a secret; in the file when the keyring does not work.
   * @param keyringOnly whether the user asked for the keyring: then it fails, and uses no file
   */
  async keep(location: SecretLocation, secret: Secret, keyringOnly: boolean): Promise<Stored> {
    secretShape.parse(secret);
    const {key, storage} = location;
    try {
      await this.#vaults[storage].write(key, secret);
      return {location};
    } catch (error) {
      if (!(error instanceof KeyringUnavailable)) throw error;
      const {message, installation} = error;
      if (keyringOnly) {
        throw new Failure('local', `The keyring cannot be used: ${message}`, {
          hint: `${installation ?? 'unlock it'}; or store the token in a file with --insecure-storage or PIXELCTL_STORAGE=file`,
        });
      }
      await this.#vaults.file.write(key, secret);
      const note = `No keyring is available: the token is stored in ${this.path}, which only you can read`;
      const more = installation === undefined ? '' : `. For the keyring, ${installation} and sign in again`;
      return {location: {key, storage: 'file'}, note: note + more};
    }
  }

  /** Removes secrets and returns those that cannot be removed now. A keyring that fails once is not called again. */
  async removeAll(locations: readonly SecretLocation[]): Promise<SecretLocation[]> {
    const left: SecretLocation[] = [];
    let isKeyringDown = false;
    for (const location of locations) {
      try {
        // The file may have the secret even of the keyring, from a time when the keyring failed.
        await this.#vaults.file.remove(location.key);
        if (location.storage === 'file') continue;
        if (isKeyringDown) left.push(location);
        else await this.#vaults.keyring.remove(location.key);
      } catch (error) {
        isKeyringDown ||= error instanceof KeyringUnavailable;
        left.push(location);
      }
    }
    return left;
  }
}
