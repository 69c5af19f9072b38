/** Where secrets go: the keyring if there is one, else a file. */
import {Failure} from '../client/failure.js';
import {keptSecretShape, type KeptSecret, type SecretLocation} from './profile.js';
import {KeyringUnavailable, secretFile, type Vault} from './vault.js';

/** A keyring that is loaded when it is asked. */
const lateKeyring = async (): Promise<Vault> => (await import('./keyring.js')).systemKeyring;

export interface Kept {
  readonly location: SecretLocation;
  /** What the user should know about it. */
  readonly note?: string | undefined;
}

export class Secrets {
  readonly #path: string;
  readonly #file: Vault;
  readonly #keyring: () => Promise<Vault>;

  /** @param path the file for what is in no keyring */
  constructor(path: string, keyring?: Vault) {
    this.#path = path;
    this.#file = secretFile(path);
    this.#keyring = keyring === undefined ? lateKeyring : async () => keyring;
  }

  /** @throws CorruptFile when the file holds something else */
  async checkFile(): Promise<void> {
    await this.#file.read('');
  }

  /** @throws Failure `local` when the keyring that has it cannot be used */
  async read({key, storage}: SecretLocation): Promise<KeptSecret | undefined> {
    if (storage === 'file') return this.#file.read(key);
    try {
      return await (await this.#keyring()).read(key);
    } catch (error) {
      if (!(error instanceof KeyringUnavailable)) throw error;
      throw new Failure('local', `The keyring that holds the token cannot be used: ${error.message}`, {
        hint: (suggest) =>
          `unlock it; or sign in again with \`${suggest(['auth', 'login'], {flags: {'insecure-storage': true}})}\`, which keeps the token in a file`,
      });
    }
  }

  /**
   * Keeps a secret, in the file where the keyring was wished for and does not work.
   * @param isFirm whether the keyring was asked for by name, so that a file will not do
   */
  async keep(location: SecretLocation, secret: KeptSecret, isFirm: boolean): Promise<Kept> {
    keptSecretShape.parse(secret);
    if (location.storage === 'file') {
      await this.#file.write(location.key, secret);
      return {location};
    }
    try {
      await (await this.#keyring()).write(location.key, secret);
      return {location};
    } catch (error) {
      if (!(error instanceof KeyringUnavailable)) throw error;
      if (isFirm) {
        throw new Failure('local', `The keyring cannot be used: ${error.message}`, {
          hint: 'unlock it; or keep the token in a file, with --insecure-storage or PIXELCTL_STORAGE=file',
        });
      }
    }
    const inFile = await this.keep({...location, storage: 'file'}, secret, isFirm);
    return {...inFile, note: `No keyring can be used here: the token is kept in ${this.#path}, which you alone can read`};
  }

  /** Removes secrets and answers those that cannot be removed now. A keyring that fails once is not asked again. */
  async removeAll(locations: readonly SecretLocation[]): Promise<SecretLocation[]> {
    const left: SecretLocation[] = [];
    let isKeyringDown = false;
    for (const location of locations) {
      try {
        // Also what was meant for the keyring: it may have come to lie in the file.
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
