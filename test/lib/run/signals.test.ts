import {EventEmitter, once} from 'node:events';
import {describe, expect, test} from 'vitest';
import {watchListSignals, watchSignals} from '../../../src/lib/run/signals.js';

/** A process that is not ended by what it is sent. */
class Source extends EventEmitter {
  readonly pid = 42;

  get watchers(): number {
    return this.listenerCount('SIGINT') + this.listenerCount('SIGTERM');
  }

  kill(...sent: readonly [pid: number, signal: string]): void {
    this.emit('killed', ...sent, this.watchers);
  }
}

const endings = [
  ['SIGINT', {code: 'interrupted', message: 'Interrupted'}],
  ['SIGTERM', {code: 'terminated', message: 'Terminated'}],
] as const;

describe.each(endings)('a watched %s', (signal, failure) => {
  test('a watched signal says with the first abort what it was', () => {
    const source = new Source();
    const {first, second} = watchSignals(source);
    expect(first.aborted).toBe(false);
    source.emit(signal);
    expect(first.reason).toMatchObject(failure);
    expect(second.aborted).toBe(false);
  });

  test.each(endings)('a watched signal that follows a %s is the second abort, after which the next ends the process', (earlier, reason) => {
    const source = new Source();
    const {first, second} = watchSignals(source);
    source.emit(earlier);
    source.emit(signal);
    expect(first.reason).toMatchObject(reason);
    expect(second.reason).toMatchObject(failure);
    expect(source.watchers).toBe(0);
  });

  test('a watched signal ends the process again when nobody watches any more', () => {
    const source = new Source();
    const signals = watchSignals(source);
    expect(source.watchers).toBe(2);
    signals[Symbol.dispose]();
    expect(source.watchers).toBe(0);
  });

  test('a watched signal ends the process when it is the second during a list, with nobody watching', async () => {
    const source = new Source();
    const {first} = watchListSignals(source);
    const killed = once(source, 'killed');
    source.emit('SIGINT');
    expect(first.aborted).toBe(true);
    source.emit(signal);
    expect(await killed).toEqual([42, signal, 0]);
  });
});
