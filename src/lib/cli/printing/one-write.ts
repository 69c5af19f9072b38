/** One write, and what is known of it whatever happens around it. */
import type {Answer} from '../../client/answer.js';
import {asFailure, Failure} from '../../client/failure.js';
import type {Connection} from '../connection.js';
import {watchSignals} from './signals.js';

/** How it failed because of a signal: whatever was under way was dropped. */
function interrupted({code, message}: Failure, dropped: Failure): Failure {
  const {reason, mayHaveActed, fate, lookWith, method, path, suggest} = dropped.details;
  const known = {mayHaveActed, fate, lookWith, method, path, suggest};
  if (mayHaveActed) return new Failure(code, `${message} before the server answered`, known);
  return new Failure(code, reason === 'unsent' ? dropped.message : `${message} before it was sent`, known);
}

/**
 * Sends a write. A signal ends it at once.
 * @throws Failure as the sending does, `interrupted` or `terminated` with what is then known of it
 */
async function sent<Sent>(connection: Connection, send: (over: Connection) => Promise<Sent>): Promise<Sent> {
  const {first: signal, stop} = watchSignals(connection.session.io);
  const over = connection.with({signal});
  signal.addEventListener('abort', () => void over.close(), {once: true});
  try {
    return await send(over);
  } catch (error) {
    throw signal.reason instanceof Failure ? interrupted(signal.reason, asFailure(error)) : error;
  } finally {
    stop();
    await over.close();
  }
}

/**
 * Sends a write and prints its answer.
 * @throws Failure as sending and printing do; when printing fails, the failure says that the write was carried out, and has the answer
 */
export async function writeOnce<Sent extends {readonly answer: Answer}>(
  connection: Connection,
  send: (over: Connection) => Promise<Sent>,
  print: (sent: Sent) => Promise<void>,
): Promise<void> {
  const outcome = await sent(connection, send);
  try {
    await print(outcome);
  } catch (error) {
    const {code, message, details} = asFailure(error);
    throw new Failure(code, `${message}; the request was carried out`, {
      ...details,
      body: outcome.answer.text,
      hint: 'the request was carried out: there is nothing to repeat',
    });
  }
}
