import type {Secret} from '../../../src/lib/auth/profile.js';
import type {Vault} from '../../../src/lib/auth/keyring.js';

/** A keyring in memory, which can be out of use. */
export class MemoryKeyring implements Vault {
  readonly held = new Map<string, Secret>();
  /** What it was asked to do, and with which key. */
  readonly called: string[] = [];
  /** Why it does not work now. */
  failure: Error | undefined;
  async read(key: string) {
    return this.#on(`read ${key}`, () => this.held.get(key));
  }
  async write(key: string, secret: Secret) {
    this.#on(`write ${key}`, () => this.held.set(key, secret));
  }
  async remove(key: string) {
    this.#on(`remove ${key}`, () => this.held.delete(key));
  }
  #on<Result>(what: string, work: () => Result): Result {
    this.called.push(what);
    if (this.failure !== undefined) throw this.failure;
    return work();
  }
}
