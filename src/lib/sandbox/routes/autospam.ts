/** Posts that the spam filter held back, and what admins do about them. */
import {handleAutospam, listAutospam} from '../../api/autospam.js';
import {withMicroseconds} from '../account-payloads.js';
import {openEntries, postPayload} from '../post-payloads.js';
import {plainRefusal, refuseUnknown} from '../refusal.js';
import {integerOf, textOf} from '../received-request.js';
import {route, type Route} from '../route.js';
import {validate} from '../rules.js';
import type {HeldBack, World} from '../world.js';

const pageSize = 6;

/** The entry as servers send it; null where the post is gone. */
function payload(world: World, {row, postId, createdAt}: HeldBack): Readonly<Record<string, unknown>> | null {
  const post = world.posts.get(postId);
  if (post === undefined) return null;
  return {
    id: row,
    type: 'post.autospam',
    item_id: BigInt(postId),
    item_type: String.raw`App\Status`,
    created_at: withMicroseconds(createdAt),
    status: postPayload(world, post),
    ...(post.parent && {parent: postPayload(world, post.parent)}),
  };
}

const secondOf = ({createdAt}: HeldBack): number => Math.floor(createdAt.getTime() / 1000);

/** Sorts the newest first, and entries of one second in the order of their ids. */
const newestFirst = (one: HeldBack, other: HeldBack): number => secondOf(other) - secondOf(one) || one.row - other.row;

/** Actions with `-all` handle all entries of the author, and so does the deletion of the account. */
const actions = ['dismiss', 'dismiss-all', 'approve', 'approve-all', 'delete-post', 'delete-account'];

function handle(world: World, entry: HeldBack, action: string): void {
  const verb = action.replace('-all', '');
  const isOfAuthor = verb !== action || verb === 'delete-account';
  const entries = isOfAuthor ? openEntries(world).filter(({author}) => author === entry.author) : [entry];
  if (verb === 'delete-account') {
    if (entry.author.admin) throw plainRefusal(400, {error: 'Cannot delete an admin account.'});
    const user = world.userOf(entry.author);
    if (user !== undefined) world.deletePerson(user);
  }
  for (const each of entries) {
    each.handled = true;
    const post = world.posts.get(each.postId);
    if (verb === 'approve' && post !== undefined) Object.assign(post, {visibility: 'public', sensitive: each.wasSensitive});
    if (verb === 'delete-post') world.posts.delete(each.postId);
  }
}

export const routes: readonly Route[] = [
  route(listAutospam, ({world, fields}) => {
    const page = Math.max(1, integerOf(fields['page'], 1));
    const entries = openEntries(world).toSorted(newestFirst);
    return {body: entries.slice((page - 1) * pageSize, page * pageSize).map((entry) => payload(world, entry))};
  }),

  route(handleAutospam, ({world, fields}) => {
    validate(fields, {id: 'required', action: `required|in:${actions.join()}`});
    const [id, action] = [textOf(fields['id']), textOf(fields['action']) ?? ''];
    const entry = openEntries(world).find(({row}) => String(row) === id);
    if (entry === undefined) throw refuseUnknown('AccountInterstitial', id ?? undefined);
    handle(world, entry, action);
    return {body: {status: 'success'}};
  }),
];
