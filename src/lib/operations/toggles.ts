/** Sets flags by requests that toggle: one is sent only where the flag differs, until an answer shows that it is as asked. */
import type {Endpoint} from '../api/endpoint.js';
import type {Answer} from '../client/answer.js';
import type {Client} from '../client/client.js';
import {asFailure, Failure} from '../client/failure.js';

export interface Toggle {
  readonly action: string;
  readonly holds: (answer: unknown) => boolean;
}

interface Toggling {
  /** The person or post as read first; undefined where it may not be read. */
  readonly first: Answer | undefined;
  readonly send: (action: string) => Promise<Answer>;
  readonly client: Client;
  readonly endpoint: Pick<Endpoint, 'method' | 'path'>;
}

/** How often an action is sent at most: the first request undoes a flag that was set already, where that could not be read. */
const mostSent = 2;

/**
 * Sends the toggles that do not hold yet, until an answer shows that all hold.
 * @throws Failure with the fate `unknown` if the last answer does not show what was asked for. The command may then be repeated: it reads
 * first, and sends what still differs
 */
export async function sendToggles(toggles: readonly Toggle[], {first, send, client, endpoint}: Toggling): Promise<Answer> {
  const sent = new Map<string, number>();
  let last = first;
  for (;;) {
    const toggle = toggles.find(({holds}) => !holds(last?.value));
    if (toggle === undefined && last !== undefined) return last;
    const {action = ''} = toggle ?? {};
    const times = sent.get(action) ?? 0;
    const done = [...sent.keys()].filter((one) => one !== action);
    if (times === mostSent) throw withDone(refuseContested(action, client, endpoint), done);
    sent.set(action, times + 1);
    last = await send(action).catch((error: unknown) => {
      throw withDone(asFailure(error), done);
    });
  }
}

const refuseContested = (action: string, {host}: Client, {method, path}: Toggling['endpoint']): Failure =>
  new Failure('unavailable', `${host}: ${action} was changed back: somebody else may change it at the same time`, {
    fate: 'unknown',
    method,
    path,
  });

/** The failure with the actions that were done before. */
export function withDone(failure: Failure, done: readonly string[]): Failure {
  const canRepeat = failure.details.fate === 'unknown' ? ({canRepeat: true} as const) : {};
  return done.length === 0 ? failure.saying('', canRepeat) : failure.saying(` (done already: ${done.join(', ')})`, {...canRepeat, done});
}
