/** What Mastodon counts for the people who look after a server. */
import {measuresOfDomain} from '../../api/admin-entities.js';
import {measure} from '../../api/internal.js';
import {membersOf} from '../../api/schema.js';
import {plainRefusal} from '../refusal.js';
import {textOf} from '../request.js';
import {ofMastodon, route, type Route} from '../route.js';
import type {World} from '../world.js';

type Measure = (typeof measuresOfDomain)[number];

const isMeasure = (key: unknown): key is Measure => measuresOfDomain.some((one) => one === key);

/** A domain, and those below it where that is asked for. */
function totalOf(world: World, key: Measure, {domain, include_subdomains: isWhole}: Readonly<Record<string, unknown>>): number {
  const isMeant = (host: string | null) => host === domain || (isWhole === true && host?.endsWith(`.${String(domain)}`) === true);
  const accounts = [...world.accounts.values()];
  const there = accounts.filter((account) => isMeant(account.domain));
  const here = new Set(accounts.filter((account) => account.domain === null).map(({id}) => id));
  if (key === 'instance_accounts') {
    const counted = world.instances.all().filter((instance) => isMeant(instance.domain));
    return Math.max(
      there.length,
      counted.reduce((sum, {userCount}) => sum + (userCount ?? 0), 0),
    );
  }
  const ids = ({id}: {readonly id: string}) => (key === 'instance_follows' ? world.follows.to(id) : world.follows.of(id));
  return there.flatMap(ids).filter((id) => here.has(id)).length;
}

export const routes: readonly Route[] = ofMastodon([
  route(measure, ({world, fields}) => {
    const keys = [fields['keys']].flat().filter(isMeasure);
    if (textOf(fields['start_at']) === null || textOf(fields['end_at']) === null) throw plainRefusal(422, {error: 'Invalid date'});
    return {
      body: keys.map((key) => ({key, unit: null, total: String(totalOf(world, key, membersOf(fields[key]))), data: []})),
    };
  }),
]);
