/** What admins do about posts: those that somebody reported, that the spam filter held back, and any other. */
import {handleAutospam, listAutospam} from '../../api/autospam.js';
import {handleReport, listReports} from '../../api/moderation-reports.js';
import {moderatePost} from '../../api/posts.js';
import {numberedPage} from '../collection.js';
import {nativeAccount, nativePost, withMicroseconds, type Payload} from '../payloads.js';
import {abort, plainRefusal, refuseUnknown} from '../refusal.js';
import {route, type Call, type Route, type RouteAnswer} from '../route.js';
import type {HeldBack, Post, Report, World} from '../world.js';

/** A post, and the one that it answers. */
const about = (world: World, post: Post): Payload => ({
  status: nativePost(world, post),
  ...(post.parent && {parent: nativePost(world, post.parent)}),
});

function reportPayload(world: World, {row, by, reason, message, type, id, createdAt}: Report): Payload {
  const [post, account] = [world.posts.get(id), world.accounts.get(id)];
  return {
    id: row,
    type: reason,
    message,
    object_id: BigInt(id),
    object_type: type === 'user' ? String.raw`App\Profile` : String.raw`App\Status`,
    created_at: withMicroseconds(createdAt),
    reported_by_account: nativeAccount(world, by),
    ...(post && about(world, post)),
    ...(account && {account: nativeAccount(world, account)}),
  };
}

const reportActions: Readonly<Record<string, Partial<Post>>> = {ignore: {}, cw: {sensitive: true}, unlist: {visibility: 'unlisted'}};

/** The entry as servers send it; null where the post is gone. */
function entryPayload(world: World, {row, postId, createdAt}: HeldBack): Payload | null {
  const post = world.posts.get(postId);
  if (post === undefined) return null;
  return {
    id: row,
    type: 'post.autospam',
    item_id: BigInt(postId),
    item_type: String.raw`App\Status`,
    created_at: withMicroseconds(createdAt),
    ...about(world, post),
  };
}

const secondOf = ({createdAt}: HeldBack): number => Math.floor(createdAt.getTime() / 1000);

/** Actions with `-all` handle all entries of the author, and so does the deletion of the account. */
function handleEntry({world, text}: Call): void {
  const [id, action] = [text('id'), text('action')];
  const entry = world.heldBack.list().find(({row}) => String(row) === id);
  if (entry === undefined) throw refuseUnknown('AccountInterstitial', id);
  const verb = action.replace('-all', '');
  const isOfAuthor = verb !== action || verb === 'delete-account';
  const entries = isOfAuthor ? world.heldBack.list().filter(({author}) => author === entry.author) : [entry];
  if (verb === 'delete-account') {
    if (entry.author.admin) throw plainRefusal(400, {error: 'Cannot delete an admin account.'});
    const user = world.userOf(entry.author);
    if (user !== undefined) world.deletePerson(user);
  }
  for (const each of entries) {
    world.heldBack.delete(each.row);
    const post = world.posts.get(each.postId);
    if (verb === 'approve' && post !== undefined) Object.assign(post, {visibility: 'public', sensitive: each.wasSensitive});
    if (verb === 'delete-post') world.posts.delete(each.postId);
  }
}

function markSpammer(world: World, {author}: Post): void {
  Object.assign(world.userOf(author) ?? {}, {unlisted: true, cw: true, no_autolink: true});
  for (const post of world.posts.values()) if (post.author === author) Object.assign(post, {visibility: 'private', sensitive: true});
}

const visibilities: Readonly<Record<string, Post['visibility']>> = {
  'mark-public': 'public',
  'mark-unlisted': 'unlisted',
  'mark-private': 'private',
};

export const routes: readonly Route[] = [
  route(listReports, (call) => {
    const {world} = call;
    const open = world.reports.list().filter(({handled}) => !handled);
    // Reports about deleted posts are left out after a page is cut, so that pages may be short.
    const shown = numberedPage(open.toReversed(), call).filter(({type, id}) => type !== 'post' || world.posts.has(id));
    return {body: shown.map((report) => reportPayload(world, report))};
  }),

  route(
    handleReport,
    ({world, text}) => {
      const action = text('action');
      if (!Object.hasOwn(reportActions, action)) throw abort(403);
      const report = world.reports.get(Number(text('id')));
      if (report === undefined) throw refuseUnknown('Report', text('id'));
      const post = world.posts.get(report.id);
      if (action !== 'ignore' && post === undefined) throw abort(500, 'Attempt to read property "id" on null');
      if (post !== undefined) Object.assign(post, reportActions[action]);
      report.handled = true;
      return {body: {success: true}};
    },
    {onlyRules: {}},
  ),

  route(listAutospam, (call) => {
    // The newest come first, and entries of one second in the order of their ids.
    const entries = call.world.heldBack.list().toSorted((one, other) => secondOf(other) - secondOf(one) || one.row - other.row);
    return {body: numberedPage(entries, call).map((entry) => entryPayload(call.world, entry))};
  }),
  route(handleAutospam, (call) => {
    handleEntry(call);
    return {body: {status: 'success'}};
  }),

  route(moderatePost, ({world, text, part}): RouteAnswer => {
    const [post, action] = [world.posts.get(part('id')), text('action')];
    if (post === undefined) throw plainRefusal(400, {error: 'Cannot find status'});
    if (post.author.admin) throw plainRefusal(400, {error: 'Cannot moderate admin accounts'});
    if (action === 'delete') {
      world.posts.delete(post.id);
      return {body: []};
    }
    if (action === 'cw') post.sensitive = !post.sensitive;
    if (action === 'mark-spammer') markSpammer(world, post);
    post.visibility = visibilities[action] ?? post.visibility;
    return {body: nativePost(world, post)};
  }),
];
