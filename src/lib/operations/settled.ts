/** Sets flags by requests that toggle: one is sent only where the flag differs, until an answer shows that it is as asked. */
import type {Endpoint} from '../api/endpoint.js';
import type {Answer} from '../client/answer.js';
import type {Client} from '../client/client.js';
import {asFailure, Failure} from '../client/failure.js';
import {afterLostAnswer} from './found-target.js';

export interface Toggle {
  readonly action: string;
  readonly holds: (answer: unknown) => boolean;
}

interface Toggling {
  /** The person or post as read first; undefined where it may not be read. */
  readonly first: Answer | undefined;
  readonly send: (action: string) => Promise<Answer>;
  readonly read: () => Promise<Answer>;
  /** How often an action is sent at most. Somebody else may change the flag back at the same time. */
  readonly most: number;
  readonly client: Client;
  readonly endpoint: Pick<Endpoint, 'method' | 'path'>;
}

/**
 * Sends the toggles that do not hold yet, until an answer shows that all hold. After a lost answer the person or post is read, and a toggle
 * that does not hold is sent once more.
 * @throws Failure with the fate `unknown` if the last answer does not show what was asked for
 */
export async function settleToggles(toggles: readonly Toggle[], {first, send, read, most, client, endpoint}: Toggling): Promise<Answer> {
  const sent = new Map<string, number>();
  const lost = new Set<string>();
  let last = first;
  const listDone = () => [...sent.keys()].filter((action) => toggles.some((one) => one.action === action && one.holds(last?.value)));
  for (;;) {
    const toggle = toggles.find(({holds}) => !holds(last?.value));
    if (toggle === undefined && last !== undefined) return last;
    const {action = ''} = toggle ?? {};
    const times = sent.get(action) ?? 0;
    if (times === most || (times > 1 && lost.has(action))) throw half(refuseContested(action, client, endpoint), listDone());
    sent.set(action, times + 1);
    try {
      last = await send(action);
    } catch (error) {
      if (lost.has(action)) throw half(stillOpen(error), listDone());
      lost.add(action);
      last = await afterLostAnswer(error, client, read).catch((unknown: unknown) => {
        throw half(unknown, listDone());
      });
    }
  }
}

/** The failure of a toggle that was refused when it was sent again. The first request may have been carried out. */
function stillOpen(error: unknown): Failure {
  const failure = asFailure(error);
  if (failure.details.fate === 'unknown') return failure;
  return failure.saying('; an earlier attempt may have been carried out', {fate: 'unknown', hint: undefined});
}

const refuseContested = (action: string, {host}: Client, {method, path}: Toggling['endpoint']): Failure =>
  new Failure('unavailable', `${host}: ${action} was changed back: somebody else may change it at the same time`, {
    fate: 'unknown',
    method,
    path,
  });

/** The failure with the actions that were done before. The command may be repeated: it sends only what still differs. */
function half(error: unknown, done: readonly string[]): Failure {
  const failure = asFailure(error);
  const canRepeat = failure.details.fate === 'unknown' ? ({canRepeat: true} as const) : {};
  return done.length === 0 ? failure.saying('', canRepeat) : failure.saying(` (done already: ${done.join(', ')})`, {...canRepeat, done});
}
