import type {KeptSecret, Storage} from './profile.js';

/** Where a secret is. */
export interface Place {
  readonly key: string;
  readonly storage: Storage;
}

/** A place for secrets, each under a key of its own that is never used again. */
export interface Vault {
  /** @returns undefined when there is none under this key */
  read(key: string): Promise<KeptSecret | undefined>;
  write(key: string, secret: KeptSecret): Promise<void>;
  /** Removes what is there, and is content when nothing is. */
  remove(key: string): Promise<void>;
}

/** A keyring that does not do what it is asked. The text names neither secrets nor what they are kept under. */
export class KeyringUnavailable extends Error {
  override readonly name = 'KeyringUnavailable';
}
