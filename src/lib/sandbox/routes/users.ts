/** The people who are registered, as the server's admins see and moderate them. */
import {userActions, userFlags} from '../../api/admin-entities.js';
import {listUsers, moderateUser, readUser} from '../../api/users.js';
import {adminList} from '../collection.js';
import {nativeAccount, withMicroseconds, type Payload, type User} from '../payloads.js';
import {abort, plainRefusal, refuseUnknown} from '../refusal.js';
import {route, type Call, type Route} from '../route.js';
import type {World} from '../world.js';

function userPayload(world: World, {data, account, counted = world.countsOf(account)}: User): Payload {
  const {avatar, note, locked} = account;
  return {...data, ...(counted && {...counted, avatar, bio: note || null, is_private: locked})};
}

const payload = (world: World, user: User) => ({
  data: userPayload(world, user),
  meta: {account: {...nativeAccount(world, user.account), ...user.counted}, moderation: user.moderation},
});

function act({world, text}: Call): Payload {
  const [user, action] = [world.users.find(text('id'), 'User'), text('action')];
  const {account, data, moderation} = user;
  if (user.state === 'gone') throw refuseUnknown('Profile', account.id);
  if (account.is_admin && action !== 'refresh_stats') throw plainRefusal(400, {error: 'Cannot moderate admin accounts'});
  if (action === 'delete') {
    world.deletePerson(user);
    return {status: 200, msg: 'deleted'};
  }
  // A flag is toggled, whatever value is sent.
  const flag = userFlags.find((one) => one === action);
  if (flag !== undefined) moderation[flag] = !moderation[flag];
  if (action === 'refresh_stats') user.counted = world.countsOf(account);
  if (action === 'verify_email') data.email_verified_at = withMicroseconds(world.now);
  return payload(world, user);
}

export const routes: readonly Route[] = [
  adminList(
    listUsers,
    {
      rows: ({world, text}) => world.users.list().filter(({state, account}) => state === 'active' && account.username.includes(text('q'))),
      show: (user, {world}) => userPayload(world, user),
    },
    ({data}) => ({id: Number(data.id)}),
  ),

  // Servers cache these pages for a day, unless a request asks for a new one, as that of the record does.
  route(
    readUser,
    ({world, text}) => {
      const user = world.users.find(text('user_id'), 'User');
      if (user.state === 'gone') throw abort(500, 'Attempt to read property "id" on null');
      const {data, meta} = payload(world, user);
      const report_count = world.reports.list().filter(({id}) => id === user.account.id).length;
      return {body: {data, meta: {cached_at: new Date().toISOString(), ...meta, dms_sent: 0, report_count, remote_report_count: 0}}};
    },
    {onlyRules: {}},
  ),

  // This route deletes people, too.
  route(moderateUser, (call) => ({body: act(call)}), {
    onlyRules: {id: ['required'], action: ['required', `in:${userActions.join()},delete`]},
  }),
];
