/** Asks the server what a list contains, when Tab may do so. */
import {endpoints} from '../../api/index.js';
import {identify, type IdentityRequest} from '../../auth/index.js';
import {openClient} from '../../client/client.js';
import {requestFor} from '../../client/request.js';
import {parseWithTexts} from '../../json/exact.js';
import {trust} from '../connection.js';
import {openStore} from '../known-profiles.js';
import type {Io} from '../io.js';
import type {Offered} from './complete.js';
import {itemsOfList} from './offered.js';
import {keepSeen} from './seen.js';

/** Milliseconds for the request and its response: nobody waits longer for Tab. */
const patience = 300;

/**
 * The first page of a list. Asks nobody for anything: a token in the keyring, which may be locked, is not used, and an expired one
 * is not renewed.
 * @param endpoint its name
 * @param flags of the command line, by name with dashes
 * @throws Failure
 */
export async function askList(
  endpoint: string,
  {request, flags, io}: {readonly request: IdentityRequest; readonly flags: ReadonlyMap<string, string>; readonly io: Io},
): Promise<readonly Offered[]> {
  const list = endpoints.find(({name}) => name === endpoint);
  const now = io.now().getTime();
  const identity = await identify({
    ...request,
    allowHttp: flags.has('--allow-http'),
    async tokenOf({name, storage, expiresAt}) {
      if (storage === 'environment') return (await import('../../auth/environment-profiles.js')).environmentProfileToken({name}, io.env);
      if (storage !== 'file' || (expiresAt !== null && Date.parse(expiresAt) <= now)) throw new Error('The token cannot be used');
      return (await (await openStore({io})).secret(name)).accessToken;
    },
  });
  const {server, token, profile, tokenSource} = identity;
  if (list === undefined || tokenSource === undefined) return [];
  const authority = flags.get('--cacert');
  if (authority !== undefined) await trust(authority);
  await using client = openClient({server, token, timeout: patience, retries: 0, maxWait: 0});
  const {text} = await client.send(requestFor(list, {}), list.output());
  const items = itemsOfList(list, parseWithTexts(text));
  if (profile !== undefined) await keepSeen(endpoint, profile, items, io.env, now);
  return items;
}
