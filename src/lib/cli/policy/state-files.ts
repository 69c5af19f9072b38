/** The state files of a run: which one an account has, and each opened once, because accounts may share one. */
import {Flags} from '@oclif/core';
import type {GivenFlags} from '../flags.js';
import {Failure} from '../../client/failure.js';
import {policyName, type Target} from '../../policy/model/difference.js';
import {lockAccount, StateFile, stateFileOf} from '../../policy/state-file/state-file.js';

export const stateFlags = {
  state: Flags.string({
    description: 'the state file, which records what applies made and what existed before (default: POLICY.state.json beside the policy)',
    helpValue: 'FILE',
  }),
};

/** The state file of one account under a policy. @throws Failure `local` when a state file cannot be read */
export async function stateFileIn(
  policy: string,
  {state}: GivenFlags<typeof stateFlags>,
  target: Target,
  isOfSeveral = false,
): Promise<string> {
  const owner = {policy, server: target.server.origin, account: target.account};
  return stateFileOf(owner, {chosen: state, handle: policyName(target), isOfSeveral});
}

/**
 * Locks the account of an apply, whichever state file other applies of the policy to it use. To be called when its own one is locked.
 * @param path of that
 * @throws Failure `local` when another apply of the policy to the account is going on, or has just made another state file
 */
async function lockedAccount(
  path: string,
  [policy, flags, target, isOfSeveral]: Parameters<typeof stateFileIn>,
): Promise<Disposable | undefined> {
  const handle = policyName(target);
  if (flags.state !== undefined || handle === undefined) return undefined;
  const lock = await lockAccount(policy, handle);
  try {
    if ((await stateFileIn(policy, flags, target, isOfSeveral)) === path) return lock;
    throw new Failure('local', `Another pixelctl has just applied ${policy} to ${handle}: nothing was sent`, {hint: 'run this again'});
  } catch (error) {
    lock[Symbol.dispose]();
    throw error;
  }
}

/** Locked until it is disposed of, but in a dry run. */
export class StateFiles implements Disposable {
  readonly #opened = new Map<string, Promise<StateFile>>();
  readonly #stack = new DisposableStack();
  readonly #isDryRun: boolean;

  constructor(isDryRun: boolean) {
    this.#isDryRun = isDryRun;
  }

  open(path: string): Promise<StateFile> {
    const opened = this.#opened.get(path) ?? this.#open(path);
    this.#opened.set(path, opened);
    return opened;
  }

  /** The state file for an apply, with the account locked too. */
  async openFor(...account: Parameters<typeof stateFileIn>): Promise<StateFile> {
    const path = await stateFileIn(...account);
    const file = await this.open(path);
    const lock = this.#isDryRun ? undefined : await lockedAccount(path, account);
    if (lock !== undefined) this.#stack.use(lock);
    return file;
  }

  async #open(path: string): Promise<StateFile> {
    return this.#isDryRun ? StateFile.read(path) : this.#stack.use(await StateFile.lock(path));
  }

  [Symbol.dispose](): void {
    this.#stack.dispose();
  }
}
