import {Failure} from '../../client/failure.js';
import type {Io} from '../io.js';
import {watchSignals} from './signals.js';

export interface ListSignals {
  /** Aborted by the first signal; its reason is the Failure that it means. */
  readonly signal: AbortSignal;
  /** Gives signals back to the system, for which they are the end. */
  readonly stop: () => void;
}

/**
 * Listens for signals while a list is printed. The first lets what is being printed become whole; a second one ends the
 * process where it stands, as that may wait for a reader who never reads.
 */
export function watchListSignals(io: Io): ListSignals {
  const {first, second, stop} = watchSignals(io);
  second.addEventListener('abort', () => {
    const isTermination = second.reason instanceof Failure && second.reason.code === 'terminated';
    // Once nobody listens any more.
    setImmediate(() => process.kill(process.pid, isTermination ? 'SIGTERM' : 'SIGINT'));
  });
  return {signal: first, stop};
}
