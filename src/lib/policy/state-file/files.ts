/** The state files of a run: which ones have its records, and each opened once, because accounts may share one. */
import {lockFor, placesFor, type RecordPlace} from './paths.js';
import {Records} from './records.js';
import {StateFile} from './state-file.js';
import {Failure} from '../../client/failure.js';
import type {Wanted} from '../lists/wanted.js';
import {type Target, whoseText} from '../model/difference.js';
import {asksServer} from '../reading/part.js';
import {wantedFor} from '../reading/read-wanted.js';

/** Which records of a policy are meant. */
interface Meant {
  readonly target: Pick<Target, 'account' | 'owner' | 'server'>;
  readonly isOfSeveral: boolean;
  /** Whether the policy is about what the accounts of a server share; undefined: only where an earlier apply was. */
  readonly server: boolean | undefined;
}

/** Those of a policy that is compared with an account or applied to it. */
export function meantIn(wanted: Wanted, target: Target, isOfSeveral: boolean): Meant {
  return {target, isOfSeveral, server: asksServer(wantedFor(wanted, target).policy, wanted.part)};
}

/** `--state`: the state file, where it is not the one beside the policy. */
interface StateFlags {
  readonly state?: string | undefined;
}

function placesIn(policy: string, {state}: StateFlags, {target, ...how}: Meant): Promise<RecordPlace[]> {
  return placesFor(policy, target, {chosen: state, ...how});
}

/** Opens each file once. */
export async function recordsAt(places: readonly RecordPlace[], open: (path: string) => Promise<StateFile>): Promise<Records> {
  const files = new Map<string, StateFile>();
  for (const {path} of places) if (!files.has(path)) files.set(path, await open(path));
  return new Records(
    places.flatMap(({path, owner}) => {
      const file = files.get(path);
      return file === undefined ? [] : {file, record: file.recordOf(owner)};
    }),
  );
}

/**
 * The records of a run that writes none.
 * @param open a file that is not there is empty
 * @throws Failure `local` when a state file cannot be read
 */
export async function recordsOf(policy: string, flags: StateFlags, meant: Meant, open = StateFile.read): Promise<Records> {
  return recordsAt(await placesIn(policy, flags, meant), open);
}

/** Locked until it is disposed of, but in a dry run. */
export class StateFiles implements Disposable {
  readonly #opened = new Map<string, Promise<StateFile>>();
  /** Node 22 has no `DisposableStack`. */
  readonly #held: Disposable[] = [];
  readonly #isDryRun: boolean;

  constructor(isDryRun: boolean) {
    this.#isDryRun = isDryRun;
  }

  open(path: string): Promise<StateFile> {
    const opened = this.#opened.get(path) ?? this.#open(path);
    this.#opened.set(path, opened);
    return opened;
  }

  /** @throws Failure `local` as {@link recordsOf}, and when another process uses a file */
  async records(policy: string, flags: StateFlags, meant: Meant): Promise<Records> {
    return recordsAt(await placesIn(policy, flags, meant), (path) => this.open(path));
  }

  /**
   * Opens the state files for an apply. The account is locked, too, and so is what its server's accounts share: other applies may use other state files.
   * @throws Failure `local` also when another apply has just made another state file
   */
  async recordsForApply(policy: string, flags: StateFlags, meant: Meant): Promise<Records> {
    const places = await placesIn(policy, flags, meant);
    const records = await recordsAt(places, (path) => this.open(path));
    if (this.#isDryRun || flags.state !== undefined) return records;
    // Those of this account stay until the end of the run, also where it is refused.
    for (const {owner} of places) {
      const lock = await lockFor(policy, owner);
      if (lock !== undefined) this.#held.push(lock);
    }
    if (JSON.stringify(await placesIn(policy, flags, meant)) !== JSON.stringify(places))
      throw new Failure('local', `Another pixelctl has just applied ${policy} to ${whoseText(meant.target)}: nothing was sent`, {
        hint: 'run this again',
      });
    return records;
  }

  async #open(path: string): Promise<StateFile> {
    if (this.#isDryRun) return StateFile.read(path);
    const file = await StateFile.lock(path);
    this.#held.push(file);
    return file;
  }

  [Symbol.dispose](): void {
    for (const one of this.#held.splice(0).toReversed()) one[Symbol.dispose]();
  }
}
