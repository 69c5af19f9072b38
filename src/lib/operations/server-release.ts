/** What a server says of itself: its version, time and configuration. Servers before 2026 have no configuration. */
import {getConfiguration} from '../api/config.js';
import type {Client} from '../client/client.js';
import {Failure} from '../client/failure.js';
import {textAt} from '../json/path.js';

export interface ServerRelease {
  /** As in `0.12.6`; null when it does not say. */
  readonly version: string | null;
  /** The server's time, from the Date header. */
  readonly date: string | undefined;
  /** As the server sent it, and any part of it may be missing; undefined on servers that publish none. */
  readonly configuration: unknown;
}

/** @throws Failure when the server sends neither a configuration nor its instance data */
export async function serverRelease(client: Client): Promise<ServerRelease> {
  try {
    const {value, headers} = await client.call(getConfiguration, {});
    return {version: textAt(value, ['version']) ?? null, date: headers['date'], configuration: value};
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'not_found') throw error;
    const {getInstance} = await import('../api/internal.js');
    const {value, headers} = await client.call(getInstance, {});
    // For the sake of apps, they claim to be another program there.
    const said = textAt(value, ['version']) ?? '';
    const version = /compatible; Pixelfed ([^)]+)\)/.exec(said)?.[1] ?? said;
    return {version: version === '' ? null : version, date: headers['date'], configuration: undefined};
  }
}
