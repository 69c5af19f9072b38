/** The servers that a server knows, as its admins see and moderate them. */
import {instanceFlags} from '../../api/admin-entities.js';
import {listInstances, moderateInstance, readInstance, refreshInstance} from '../../api/instances.js';
import {withMicroseconds} from '../account-payloads.js';
import {adminCollection} from '../collection.js';
import {refuseUnknown} from '../refusal.js';
import {textOf, type ReceivedFields} from '../received-request.js';
import {route, type Route} from '../route.js';
import {validate} from '../rules.js';
import type {Instance, World} from '../world.js';

const orders = ['id', 'domain', 'user_count', 'status_count'] as const;

const payload = ({createdAt, updatedAt, ...instance}: Instance) => ({...instance, created_at: withMicroseconds(createdAt)});

function findInstance({instances}: World, {id}: ReceivedFields): Instance {
  const text = textOf(id);
  const instance = instances.get(Number(text));
  if (instance === undefined) throw refuseUnknown('Instance', text ?? undefined);
  return instance;
}

const flagCalled = (name: unknown) => instanceFlags.find((flag) => flag === name);

export const routes: readonly Route[] = [
  adminCollection(
    listInstances,
    {
      rules: {sort_by: `in:${orders.join()}`, filter: `in:${['all', ...instanceFlags].join()}`},
      rows({world, fields}) {
        const [q, flag] = [textOf(fields['q']) ?? '', flagCalled(fields['filter'])];
        return world.allInstances().filter((one) => one.domain.includes(q) && (flag === undefined || one[flag]));
      },
      show: payload,
    },
    (instance, {sort_by}) => {
      const name = orders.find((one) => one === sort_by) ?? 'id';
      return {[name]: instance[name] ?? -1};
    },
  ),

  route(readInstance, ({world, fields}) => ({body: {data: payload(findInstance(world, fields))}})),

  route(moderateInstance, ({world, fields}) => {
    validate(fields, {id: 'required', key: `required|in:${instanceFlags.join()}`, value: 'required'});
    const [instance, flag] = [findInstance(world, fields), flagCalled(fields['key'])];
    if (flag !== undefined) instance[flag] = Boolean(fields['value']);
    return {body: {data: payload(instance)}};
  }),

  route(refreshInstance, ({world, fields}) => {
    const instance = findInstance(world, fields);
    const isThere = ({domain}: {readonly domain: string | null}) => domain === instance.domain;
    instance.user_count = [...world.accounts.values()].filter(isThere).length;
    instance.status_count = [...world.posts.values()].filter(({author}) => isThere(author)).length;
    return {body: {data: payload(instance)}};
  }),
];
