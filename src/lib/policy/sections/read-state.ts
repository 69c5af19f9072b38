/** Reads what an account has on its server, section by section. */
import {createHash} from 'node:crypto';
import type {Client} from '../../client/client.js';
import {inPlans, sections} from './index.js';
import type {SectionKey} from '../model/section-types.js';
import {type AccountState, fetchedValue, type State} from '../model/server-state.js';

/**
 * Reads the sections one after another: they share the rate limits of the server.
 * @param own the account whose state it is, where that is known
 * @param seen is given the items of lists as the server sent them
 */
export async function readState(
  client: Client,
  server: string,
  keys: ReadonlySet<SectionKey>,
  own?: AccountState,
  seen?: (key: SectionKey, items: readonly unknown[]) => void,
): Promise<State> {
  const state: State = {server, host: client.host, own};
  for (const {key, read} of sections) if (keys.has(key)) Object.assign(state, await read(client, seen && ((items) => seen(key, items))));
  return state;
}

/** @throws Failure of the first section that cannot be read */
export async function readWhole(client: Client, server: string, keys: Iterable<SectionKey>, own?: AccountState): Promise<State> {
  const state = await readState(client, server, new Set(keys), own);
  for (const {key} of sections) {
    const part = state[key];
    if (part !== undefined) fetchedValue<unknown>(part);
  }
  return state;
}

/** Identifies everything that a plan can change, whatever the order in which a server returns it. */
export function fingerprint(state: State): string {
  const facts = Object.assign({}, ...inPlans.map((section) => section.fingerprint?.(state)));
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}
