/** Stores secrets in the keyring if there is one, else in a file. */
import {commandText} from '../files/command-text.js';
import {Failure} from '../client/failure.js';
import {secretShape, type Secret, type SecretLocation} from './profile.js';
import {KeyringUnavailable, secretFile, type Vault} from './vault.js';

const lateKeyring = async (): Promise<Vault> => (await import('./keyring.js')).systemKeyring;

export interface Stored {
  readonly location: SecretLocation;
  readonly note?: string | undefined;
}

export class Secrets {
  readonly #path: string;
  readonly #file: Vault;
  readonly #keyring: () => Promise<Vault>;

  /** @param path the file for secrets that are in no keyring */
  constructor(path: string, keyring?: Vault) {
    this.#path = path;
    this.#file = secretFile(path);
    this.#keyring = keyring === undefined ? lateKeyring : async () => keyring;
  }

  /** @throws CorruptFile when the content of the file is invalid */
  async checkFile(): Promise<void> {
    await this.#file.read('');
  }

  /** @throws Failure `local` when the keyring that holds it cannot be used */
  async read({key, storage}: SecretLocation): Promise<Secret | undefined> {
    if (storage === 'file') return this.#file.read(key);
    try {
      return await (await this.#keyring()).read(key);
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
    if (location.storage === 'file') {
      await this.#file.write(location.key, secret);
      return {location};
    }
    let installation: string | undefined;
    try {
      await (await this.#keyring()).write(location.key, secret);
      return {location};
    } catch (error) {
      if (!(error instanceof KeyringUnavailable)) throw error;
      ({installation} = error);
      if (keyringOnly) {
        throw new Failure('local', `The keyring cannot be used: ${error.message}`, {
          hint: `${error.installation ?? 'unlock it'}; or store the token in a file with --insecure-storage or PIXELCTL_STORAGE=file`,
        });
      }
    }
    const inFile = await this.keep({...location, storage: 'file'}, secret, keyringOnly);
    const note = `No keyring is available: the token is stored in ${this.#path}, which only you can read`;
    return {...inFile, note: installation === undefined ? note : `${note}. For the keyring, ${installation} and sign in again`};
  }

  /** Removes secrets and returns those that cannot be removed now. A keyring that fails once is not called again. */
  async removeAll(locations: readonly SecretLocation[]): Promise<SecretLocation[]> {
    const left: SecretLocation[] = [];
    let isKeyringDown = false;
    for (const location of locations) {
      try {
        // The file may have the secret even of the keyring, from a time when the keyring failed.
        await this.#file.remove(location.key);
        if (location.storage === 'file') continue;
        if (isKeyringDown) left.push(location);
        else await (await this.#keyring()).remove(location.key);
      } catch (error) {
        isKeyringDown ||= error instanceof KeyringUnavailable;
        left.push(location);
      }
    }
    return left;
  }
}
