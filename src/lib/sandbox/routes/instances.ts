/** The servers that a server knows, as its admins see and moderate them. */
import {instanceFlags} from '../../api/admin-entities.js';
import {listInstances, moderateInstance, readInstance, refreshInstance} from '../../api/instances.js';
import {withMicroseconds} from '../accounts.js';
import {adminCollection} from '../collection.js';
import {refuseUnknown} from '../refusal.js';
import {textOf, type ReceivedFields} from '../request.js';
import {route, type Route} from '../route.js';
import {validate} from '../rules.js';
import type {Instance, World} from '../world.js';

const orders = {
  id: ({id}: Instance) => ({id}),
  domain: ({domain}: Instance) => ({domain}),
  user_count: ({userCount}: Instance) => ({user_count: userCount ?? -1}),
  status_count: ({statusCount}: Instance) => ({status_count: statusCount ?? -1}),
} as const;

/** What the flags of the API are here. */
const flags = {banned: 'banned', unlisted: 'unlisted', auto_cw: 'autoCw'} as const;

function payload(instance: Instance): Readonly<Record<string, unknown>> {
  return {
    id: instance.id,
    domain: instance.domain,
    software: instance.software,
    unlisted: instance.unlisted,
    auto_cw: instance.autoCw,
    banned: instance.banned,
    user_count: instance.userCount,
    status_count: instance.statusCount,
    last_crawled_at: instance.lastCrawledAt,
    notes: instance.notes,
    base_domain: instance.baseDomain,
    ban_subdomains: instance.banSubdomains,
    actors_last_synced_at: instance.actorsLastSyncedAt,
    created_at: withMicroseconds(instance.createdAt),
  };
}

function findInstance({instances}: World, {id}: ReceivedFields): Instance {
  const text = textOf(id);
  const instance = instances.get(Number(text));
  if (instance === undefined) throw refuseUnknown('Instance', text ?? undefined);
  return instance;
}

const isFlag = (text: string | null): text is keyof typeof flags => text !== null && Object.hasOwn(flags, text);

const isOrder = (text: string | null): text is keyof typeof orders => text !== null && Object.hasOwn(orders, text);

export const routes: readonly Route[] = [
  adminCollection(
    listInstances,
    {
      rules: {sort_by: `in:${Object.keys(orders).join()}`, filter: `in:${['all', ...instanceFlags].join()}`},
      rows({world, fields}) {
        const [q, filter] = [textOf(fields['q']), textOf(fields['filter'])];
        const isWanted = (one: Instance) => (q === null || one.domain.includes(q)) && (!isFlag(filter) || one[flags[filter]]);
        return world.allInstances().filter(isWanted);
      },
      show: payload,
    },
    (instance, {sort_by}) => {
      const name = textOf(sort_by);
      return orders[isOrder(name) ? name : 'id'](instance);
    },
  ),

  route(readInstance, ({world, fields}) => ({body: {data: payload(findInstance(world, fields))}})),

  route(moderateInstance, ({world, fields}) => {
    validate(fields, {id: 'required', key: `required|in:${instanceFlags.join()}`, value: 'required'});
    const [instance, key] = [findInstance(world, fields), textOf(fields['key'])];
    if (isFlag(key)) instance[flags[key]] = Boolean(fields['value']);
    return {body: {data: payload(instance)}};
  }),

  route(refreshInstance, ({world, fields}) => {
    const instance = findInstance(world, fields);
    const isThere = ({domain}: {readonly domain: string | null}) => domain === instance.domain;
    instance.userCount = [...world.accounts.values()].filter(isThere).length;
    instance.statusCount = [...world.posts.values()].filter(({author}) => isThere(author)).length;
    return {body: {data: payload(instance)}};
  }),
];
