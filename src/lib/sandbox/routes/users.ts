/** The people who are registered, as the server's admins see and moderate them. */
import {userActions, userFlags} from '../../api/admin-entities.js';
import {listUsers, moderateUser, readUser} from '../../api/users.js';
import {adminList} from '../collection.js';
import {avatarOf, nativeAccount, withMicroseconds, type Payload} from '../payloads.js';
import {abort, plainRefusal, refuseUnknown} from '../refusal.js';
import {route, type Call, type Route} from '../route.js';
import type {User, World} from '../world.js';

function userPayload(world: World, user: User): Payload {
  const account = world.account(user.accountId);
  const counted = user.counted === undefined ? world.countsOf(account) : user.counted;
  return {
    id: String(user.id),
    profile_id: account.id,
    name: account.name,
    username: account.username,
    is_admin: account.admin,
    email: user.email,
    email_verified_at: user.emailVerifiedAt && withMicroseconds(user.emailVerifiedAt),
    two_factor_enabled: false,
    register_source: user.ip === null ? 'web' : 'app',
    app_register_ip: user.ip,
    has_interstitial: false,
    last_active_at: null,
    created_at: withMicroseconds(account.createdAt),
    ...(counted && {...counted, avatar: avatarOf(world), bio: account.note || null, is_private: account.locked}),
  };
}

/** A user, and what else servers tell of one. */
const payload = (world: World, user: User) => ({
  data: userPayload(world, user),
  meta: {
    account: {...nativeAccount(world, world.account(user.accountId)), ...user.counted},
    moderation: {unlisted: user.unlisted, cw: user.cw, no_autolink: user.no_autolink},
  },
});

function findUser({users}: World, id: string): User {
  const user = users.get(Number(id));
  if (user === undefined) throw refuseUnknown('User', id || undefined);
  return user;
}

function act({world, text}: Call): Payload {
  const [user, action] = [findUser(world, text('id')), text('action')];
  if (user.state === 'gone') throw refuseUnknown('Profile', user.accountId);
  const account = world.account(user.accountId);
  if (account.admin && action !== 'refresh_stats') throw plainRefusal(400, {error: 'Cannot moderate admin accounts'});
  if (action === 'delete') {
    world.deletePerson(user);
    return {status: 200, msg: 'deleted'};
  }
  // A flag is toggled, whatever value is sent.
  const flag = userFlags.find((one) => one === action);
  if (flag !== undefined) user[flag] = !user[flag];
  if (action === 'refresh_stats') user.counted = world.countsOf(account);
  if (action === 'verify_email') user.emailVerifiedAt = new Date();
  return payload(world, user);
}

export const routes: readonly Route[] = [
  adminList(
    listUsers,
    {
      rows: ({world, text}) =>
        world.users.list().filter(({state, accountId}) => state === 'active' && world.account(accountId).username.includes(text('q'))),
      show: (user, {world}) => userPayload(world, user),
    },
    ({id}) => ({id}),
  ),

  // Servers cache these pages for a day, unless a request asks for a new one, as that of the record does.
  route(
    readUser,
    ({world, text}) => {
      const user = findUser(world, text('user_id'));
      if (user.state === 'gone') throw abort(500, 'Attempt to read property "id" on null');
      const {data, meta} = payload(world, user);
      const report_count = world.reports.list().filter(({id}) => id === user.accountId).length;
      return {body: {data, meta: {cached_at: new Date().toISOString(), ...meta, dms_sent: 0, report_count, remote_report_count: 0}}};
    },
    {onlyRules: {}},
  ),

  // This route deletes people, too.
  route(moderateUser, (call) => ({body: act(call)}), {
    onlyRules: {id: ['required'], action: ['required', `in:${userActions.join()},delete`]},
  }),
];
