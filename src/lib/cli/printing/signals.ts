import {Failure} from '../../client/failure.js';
import type {Io} from '../io.js';

export interface Signals {
  /** Aborted by the first interruption; its reason is the Failure that it means. */
  readonly first: AbortSignal;
  /** Aborted by the second one. */
  readonly second: AbortSignal;
  /** Gives interruptions back to the system, for which they are the end. */
  readonly stop: () => void;
}

/** Listens for Ctrl-C and for being terminated; a third time is not listened to. */
export function watchSignals({system}: Io): Signals {
  const [first, second] = [new AbortController(), new AbortController()];
  const stop = () => {
    system.off('SIGINT', interrupted);
    system.off('SIGTERM', terminated);
  };
  const receive = (failure: Failure) => {
    if (!first.signal.aborted) return first.abort(failure);
    second.abort(failure);
    stop();
  };
  const interrupted = () => receive(new Failure('interrupted', 'Interrupted'));
  const terminated = () => receive(new Failure('terminated', 'Terminated'));
  system.on('SIGINT', interrupted);
  system.on('SIGTERM', terminated);
  return {first: first.signal, second: second.signal, stop};
}
