/** What admins see and do of the people who are registered, and of posts: those that somebody reported, that the spam filter held back, and any other. */
import {userActions, userFlags} from '../../api/admin-entities.js';
import {handleAutospam, listAutospam} from '../../api/autospam.js';
import {handleReport, listReports} from '../../api/moderation-reports.js';
import {moderatePost} from '../../api/posts.js';
import {listUsers, moderateUser, readUser} from '../../api/users.js';
import {adminList, numberedPage} from '../collection.js';
import {nativeAccount, nativePost, withMicroseconds, type Payload, type Post, type User} from '../payloads.js';
import {abort, plainRefusal, refuseUnknown} from '../refusal.js';
import {route, type Call, type Route, unchecked} from '../route.js';
import type {World} from '../world.js';

function userPayload(world: World, {data, account, counted = world.countsOf(account)}: User): Payload {
  const {avatar, note, locked} = account;
  return {...data, ...(counted && {...counted, avatar, bio: note || null, is_private: locked})};
}

const personOf = (world: World, user: User) => ({
  data: userPayload(world, user),
  meta: {account: {...nativeAccount(world, user.account), ...user.counted}, moderation: user.moderation},
});

function actOnUser({world, text}: Call): Payload {
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
  return personOf(world, user);
}

function about(world: World, post: Post): Payload {
  const parent = world.posts.get(post.in_reply_to_id ?? '');
  return {status: nativePost(world, post), ...(parent && {parent: nativePost(world, parent)})};
}

const reportActions: Readonly<Record<string, Partial<Post>>> = {ignore: {}, cw: {sensitive: true}, unlist: {visibility: 'unlisted'}};

/** Actions with `-all` handle all entries of the author, and so does the deletion of the account. */
function handleEntry({world, text}: Call): void {
  const [id, action] = [text('id'), text('action')];
  const entry = world.heldBack.find(id, 'AccountInterstitial');
  const verb = action.replace('-all', '');
  const isOfAuthor = verb !== action || verb === 'delete-account';
  const entries = isOfAuthor ? world.heldBack.list().filter(({author}) => author === entry.author) : [entry];
  if (verb === 'delete-account') {
    if (entry.author.is_admin) throw plainRefusal(400, {error: 'Cannot delete an admin account.'});
    const user = world.userOf(entry.author);
    if (user !== undefined) world.deletePerson(user);
  }
  for (const each of entries) {
    world.heldBack.delete(each.data.id);
    const post = world.posts.get(each.postId);
    if (verb === 'approve' && post !== undefined) Object.assign(post, {visibility: 'public', sensitive: each.wasSensitive});
    if (verb === 'delete-post') world.posts.delete(each.postId);
  }
}

function markSpammer(world: World, {account}: Post): void {
  Object.assign(world.userOf(account)?.moderation ?? {}, {unlisted: true, cw: true, no_autolink: true});
  for (const post of world.posts.values()) if (post.account === account) Object.assign(post, {visibility: 'private', sensitive: true});
}

const visibilities: Readonly<Record<string, string>> = {
  'mark-public': 'public',
  'mark-unlisted': 'unlisted',
  'mark-private': 'private',
};

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
  route(unchecked(readUser), ({world, text}) => {
    const user = world.users.find(text('user_id'), 'User');
    if (user.state === 'gone') throw abort(500, 'Attempt to read property "id" on null');
    const {data, meta} = personOf(world, user);
    const report_count = world.reports.list().filter(({id}) => id === user.account.id).length;
    return {data, meta: {cached_at: new Date().toISOString(), ...meta, dms_sent: 0, report_count, remote_report_count: 0}};
  }),

  // This route deletes people, too.
  route(unchecked(moderateUser), actOnUser, {id: ['required'], action: ['required', `in:${userActions.join()},delete`]}),

  route(listReports, (call) => {
    const {world} = call;
    const open = world.reports.list().filter(({handled}) => !handled);
    // Reports about deleted posts are left out after a page is cut, so that pages may be short.
    const shown = numberedPage(open.toReversed(), call).filter(({type, id}) => type !== 'post' || world.posts.has(id));
    return shown.map(({data, by, id}) => {
      const [post, account] = [world.posts.get(id), world.accounts.get(id)];
      return {
        ...data,
        reported_by_account: nativeAccount(world, by),
        ...(post && about(world, post)),
        ...(account && {account: nativeAccount(world, account)}),
      };
    });
  }),

  route(unchecked(handleReport), ({world, text}) => {
    const action = text('action');
    if (!Object.hasOwn(reportActions, action)) throw abort(403);
    const report = world.reports.find(text('id'), 'Report');
    const post = world.posts.get(report.id);
    if (action !== 'ignore' && post === undefined) throw abort(500, 'Attempt to read property "id" on null');
    if (post !== undefined) Object.assign(post, reportActions[action]);
    report.handled = true;
    return {success: true};
  }),

  // The newest come first, and entries of one second in the order of their ids.
  route(listAutospam, (call) => {
    const {world} = call;
    const secondOf = ({data}: {readonly data: {readonly created_at: string}}) => data.created_at.slice(0, 19);
    const entries = world.heldBack.list().toSorted((one, other) => secondOf(other).localeCompare(secondOf(one)));
    return numberedPage(entries, call).map(({data, postId}) => {
      const post = world.posts.get(postId);
      return post === undefined ? null : {...data, ...about(world, post)};
    });
  }),
  route(handleAutospam, (call) => {
    handleEntry(call);
    return {status: 'success'};
  }),

  route(moderatePost, ({world, text, part}) => {
    const [post, action] = [world.posts.get(part('id')), text('action')];
    if (post === undefined) throw plainRefusal(400, {error: 'Cannot find status'});
    if (post.account.is_admin) throw plainRefusal(400, {error: 'Cannot moderate admin accounts'});
    if (action === 'delete') {
      world.posts.delete(post.id);
      return [];
    }
    if (action === 'cw') post.sensitive = !post.sensitive;
    if (action === 'mark-spammer') markSpammer(world, post);
    post.visibility = visibilities[action] ?? post.visibility;
    return nativePost(world, post);
  }),
];
