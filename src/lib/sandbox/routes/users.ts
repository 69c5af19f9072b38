/** The people who are registered, as the server's admins see and moderate them. */
import {userActions} from '../../api/admin-entities.js';
import {listUsers, moderateUser, readUser} from '../../api/users.js';
import {avatarOf, countsOfAccount, nativeAccount, withMicroseconds} from '../account-payloads.js';
import {adminCollection} from '../collection.js';
import {abort, plainRefusal, refuseUnknown} from '../refusal.js';
import {textOf, type ReceivedFields} from '../received-request.js';
import {route, type Route} from '../route.js';
import {validate} from '../rules.js';
import type {User, World} from '../world.js';

type Payload = Readonly<Record<string, unknown>>;

function userPayload(world: World, user: User): Payload {
  const {id, counted} = user;
  const account = world.account(user.accountId);
  return {
    id: String(id),
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

const accountPayload = (world: World, {accountId, counted}: User): Payload => ({
  ...nativeAccount(world, world.account(accountId)),
  ...counted,
});

const moderationOf = ({unlisted, cw, no_autolink}: User): Payload => ({unlisted, cw, no_autolink});

function page(world: World, user: User): Payload {
  if (user.state === 'gone') throw abort(500, 'Attempt to read property "id" on null');
  return {
    data: userPayload(world, user),
    meta: {
      cached_at: new Date().toISOString(),
      account: accountPayload(world, user),
      dms_sent: 0,
      report_count: world.reports.list().filter(({id}) => id === user.accountId).length,
      remote_report_count: 0,
      moderation: moderationOf(user),
    },
  };
}

function findUser({users}: World, id: unknown): User {
  const text = textOf(id);
  const user = users.get(Number(text));
  if (user === undefined) throw refuseUnknown('User', text ?? undefined);
  return user;
}

/** Actions that toggle a flag, whatever value is sent. */
const flags = ['unlisted', 'cw', 'no_autolink'] as const;

function act(world: World, fields: ReceivedFields): Payload {
  validate(fields, {id: 'required', action: `required|in:${[...userActions, 'delete'].join()}`});
  const [user, action] = [findUser(world, fields['id']), textOf(fields['action']) ?? ''];
  if (user.state === 'gone') throw refuseUnknown('Profile', user.accountId);
  if (world.account(user.accountId).admin && action !== 'refresh_stats') throw plainRefusal(400, {error: 'Cannot moderate admin accounts'});
  if (action === 'delete') {
    world.deletePerson(user);
    return {status: 200, msg: 'deleted'};
  }
  const flag = flags.find((one) => one === action);
  if (flag !== undefined) user[flag] = !user[flag];
  if (action === 'refresh_stats') user.counted = countsOfAccount(world, world.account(user.accountId));
  if (action === 'verify_email') user.emailVerifiedAt = new Date();
  return {data: userPayload(world, user), meta: {account: accountPayload(world, user), moderation: moderationOf(user)}};
}

export const routes: readonly Route[] = [
  adminCollection(
    listUsers,
    {
      rules: {},
      rows({world, fields}) {
        const q = textOf(fields['q']) ?? '';
        return world.users.list().filter(({state, accountId}) => state === 'active' && world.account(accountId).username.includes(q));
      },
      show: (user, {world}) => userPayload(world, user),
    },
    ({id}) => ({id}),
  ),

  // Servers cache these pages for a day, unless a request asks for a new one, as that of the record does.
  route(readUser, ({world, fields}) => ({body: page(world, findUser(world, fields['user_id']))})),

  // This route deletes people, too.
  route(moderateUser, ({world, fields}) => ({body: act(world, fields)})),
];
