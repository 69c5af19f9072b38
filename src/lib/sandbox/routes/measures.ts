/** What Mastodon counts for the people who look after a server. */
import {followsOfDomain} from '../../api/admin-entities.js';
import {measure} from '../../api/internal.js';
import {membersOf} from '../../api/schema.js';
import {plainRefusal} from '../refusal.js';
import {textOf} from '../request.js';
import {ofMastodon, route, type Route} from '../route.js';
import type {World} from '../world.js';

/** The follows of people here to a domain, and to those below it where that is asked for. */
function followsTo(world: World, {domain, include_subdomains: isWhole}: Readonly<Record<string, unknown>>): number {
  const isMeant = (host: string | null) => host === domain || (isWhole === true && host?.endsWith(`.${String(domain)}`) === true);
  const accounts = [...world.accounts.values()];
  const here = new Set(accounts.filter((account) => account.domain === null).map(({id}) => id));
  return accounts.filter((account) => isMeant(account.domain)).flatMap(({id}) => world.follows.to(id).filter((one) => here.has(one)))
    .length;
}

export const routes: readonly Route[] = ofMastodon([
  route(measure, ({world, fields}) => {
    const keys = [fields['keys']].flat().filter((key) => key === followsOfDomain);
    if (textOf(fields['start_at']) === null || textOf(fields['end_at']) === null) throw plainRefusal(422, {error: 'Invalid date'});
    return {
      body: keys.map((key) => ({key, unit: null, total: String(followsTo(world, membersOf(fields[key]))), data: []})),
    };
  }),
]);
