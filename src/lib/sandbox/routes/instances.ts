/** The servers that a server knows, as its admins see and moderate them. */
import {instanceFlags} from '../../api/admin-entities.js';
import {listInstances, moderateInstance, readInstance, refreshInstance} from '../../api/instances.js';
import {adminList} from '../collection.js';
import {hostOf, type Account} from '../payloads.js';
import {route, type Call, type Route} from '../route.js';
import type {Instance} from '../world.js';

const orders = ['id', 'domain', 'user_count', 'status_count'] as const;

const payload = ({updatedAt, ...instance}: Instance) => instance;

const flagCalled = (name: string) => instanceFlags.find((flag) => flag === name);

/** Makes the answer about the server in the input, after something was done to it. */
const about = (act: (instance: Instance, call: Call) => unknown) => (call: Call) => {
  const instance = call.world.instances.find(call.text('id'), 'Instance');
  act(instance, call);
  return {body: {data: payload(instance)}};
};

export const routes: readonly Route[] = [
  adminList(
    listInstances,
    {
      rows({world, text}) {
        const flag = flagCalled(text('filter'));
        return world.instances.list().filter((one) => one.domain.includes(text('q')) && (flag === undefined || one[flag]));
      },
      show: payload,
    },
    (instance, {sort_by}) => {
      const name = orders.find((one) => one === sort_by) ?? 'id';
      return {[name]: instance[name] ?? -1};
    },
    {rules: {sort: ['in:asc,desc'], sort_by: [`in:${orders.join()}`]}},
  ),
  route(
    readInstance,
    about(() => {}),
    {onlyRules: {}},
  ),
  route(
    moderateInstance,
    about((instance, {text, fields}) => {
      const flag = flagCalled(text('key'));
      if (flag !== undefined) instance[flag] = Boolean(fields['value']);
    }),
  ),
  route(
    refreshInstance,
    about((instance, {world}) => {
      const isThere = (account: Account) => hostOf(account) === instance.domain;
      instance.user_count = [...world.accounts.values()].filter(isThere).length;
      instance.status_count = [...world.posts.values()].filter(({account}) => isThere(account)).length;
    }),
    {onlyRules: {}},
  ),
];
