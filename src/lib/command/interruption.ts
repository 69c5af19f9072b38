/** Signals that end a run which has something to finish first. */
import {Failure} from '../client/failure.js';

export interface Interruption {
  /** Aborted by SIGINT or SIGTERM; its reason is a Failure that says which. */
  readonly signal: AbortSignal;
  readonly stop: () => void;
}

/** Watches for these signals until it is stopped. A second one of the same kind ends the process as if nobody watched. */
export function watchSignals(): Interruption {
  const controller = new AbortController();
  const interrupt = () => controller.abort(new Failure('interrupted', 'Interrupted'));
  const terminate = () => controller.abort(new Failure('terminated', 'Terminated'));
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', terminate);
  return {
    signal: controller.signal,
    stop() {
      process.off('SIGINT', interrupt);
      process.off('SIGTERM', terminate);
    },
  };
}
