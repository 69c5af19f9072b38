/** The servers that a server knows, as its admins see and moderate them. */
import {instanceFlags} from '../../api/admin-entities.js';
import {listInstances, moderateInstance, readInstance, refreshInstance} from '../../api/instances.js';
import {withMicroseconds} from '../accounts.js';
import type {Instance} from '../instances.js';
import {comparePositions, pageByCursor} from '../paging.js';
import {unknown} from '../refusal.js';
import {textOf, type ReceivedFields} from '../request.js';
import {route, type Route} from '../route.js';
import {oneOf, required, validate} from '../rules.js';
import type {World} from '../world.js';

const pageSize = 10;

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

function found({instances}: World, {id}: ReceivedFields): Instance {
  const text = textOf(id);
  const instance = instances.get(Number(text));
  if (instance === undefined) throw unknown('Instance', text ?? undefined);
  return instance;
}

const isFlag = (text: string | null): text is keyof typeof flags => text !== null && Object.hasOwn(flags, text);

const isKnownOrder = (text: string): text is keyof typeof orders => Object.hasOwn(orders, text);

export const routes: readonly Route[] = [
  route(listInstances, ({world, fields}) => {
    validate(fields, {
      sort: [oneOf(['asc', 'desc'])],
      sort_by: [oneOf(Object.keys(orders))],
      filter: [oneOf(['all', ...instanceFlags])],
    });
    const [q, filter, cursor] = [textOf(fields['q']), textOf(fields['filter']), textOf(fields['cursor'])];
    const sortBy = textOf(fields['sort_by']);
    const order = sortBy !== null && isKnownOrder(sortBy) ? sortBy : 'id';
    const by = orders[order];
    const isUp = textOf(fields['sort']) === 'asc';
    const chosen = world.instances
      .all()
      .filter((instance) => (q === null || instance.domain.includes(q)) && (!isFlag(filter) || instance[flags[filter]]));
    const upwards = order === 'id' ? chosen : chosen.toSorted((one, other) => comparePositions(by(one), by(other)));
    const {items, next, prev} = pageByCursor(isUp ? upwards : upwards.toReversed(), by, {cursor, limit: pageSize, ascends: isUp});
    const path = `${world.linkUrl}${listInstances.path}`;
    const given = Object.entries({q, sort: textOf(fields['sort']), sort_by: textOf(fields['sort_by']), filter});
    const query = given.flatMap(([name, value]) => (value === null ? [] : `${name}=${encodeURIComponent(value)}&`)).join('');
    const linkTo = (to: string | null) => to && `${path}?${query}cursor=${to}`;
    return {
      body: {
        data: items.map(payload),
        links: {first: null, last: null, prev: linkTo(prev), next: linkTo(next)},
        meta: {path, per_page: pageSize, next_cursor: next, prev_cursor: prev},
      },
    };
  }),

  route(readInstance, ({world, fields}) => ({body: {data: payload(found(world, fields))}})),

  route(moderateInstance, ({world, fields}) => {
    validate(fields, {id: [required], key: [required, oneOf(instanceFlags)], value: [required]});
    const [instance, key] = [found(world, fields), textOf(fields['key'])];
    if (isFlag(key)) instance[flags[key]] = Boolean(fields['value']);
    return {body: {data: payload(instance)}};
  }),

  route(refreshInstance, ({world, fields}) => {
    const instance = found(world, fields);
    const isThere = ({domain}: {readonly domain: string | null}) => domain === instance.domain;
    instance.userCount = [...world.accounts.values()].filter(isThere).length;
    instance.statusCount = [...world.posts.values()].filter(({author}) => isThere(author)).length;
    return {body: {data: payload(instance)}};
  }),
];
