/** Turns Ctrl-C and termination into abort signals. */
import {Failure} from '../client/failure.js';

/** `process`, or a part of it that tests can replace. */
export interface SignalSource {
  readonly pid: number;
  kill(pid: number, signal: 'SIGINT' | 'SIGTERM'): unknown;
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  off(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
}

/** Disposing of it restores the default: a signal ends the process. */
export interface Signals extends Disposable {
  /** Aborted by the first signal, with an `interrupted` or `terminated` Failure as its reason. */
  readonly first: AbortSignal;
  /** Aborted by the second signal. A third one ends the process. */
  readonly second: AbortSignal;
}

export function watchSignals(source: SignalSource): Signals {
  const [first, second] = [new AbortController(), new AbortController()];
  const stop = () => {
    source.off('SIGINT', onInterrupt);
    source.off('SIGTERM', onTerminate);
  };
  const receive = (failure: Failure) => {
    if (!first.signal.aborted) return first.abort(failure);
    second.abort(failure);
    stop();
  };
  const onInterrupt = () => receive(new Failure('interrupted', 'Interrupted'));
  const onTerminate = () => receive(new Failure('terminated', 'Terminated'));
  source.on('SIGINT', onInterrupt);
  source.on('SIGTERM', onTerminate);
  return {first: first.signal, second: second.signal, [Symbol.dispose]: stop};
}

/**
 * Watches signals while a list is printed. The first signal lets the document be completed. The second one ends the process, because the
 * reader of standard output may never read on.
 */
export function watchListSignals(source: SignalSource): Signals {
  const signals = watchSignals(source);
  const {second} = signals;
  second.addEventListener('abort', () => {
    const isTermination = second.reason instanceof Failure && second.reason.code === 'terminated';
    // The signal is sent after the listeners are removed.
    setImmediate(() => source.kill(source.pid, isTermination ? 'SIGTERM' : 'SIGINT'));
  });
  return signals;
}
