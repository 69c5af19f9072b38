/** What the spam filter held back, and what admins do about it. */
import {handleAutospam, listAutospam} from '../../api/autospam.js';
import {withMicroseconds} from '../accounts.js';
import {openEntries, postPayload} from '../posts.js';
import {plainRefusal, refuseUnknown} from '../refusal.js';
import {integerOf, textOf} from '../request.js';
import {route, type Route} from '../route.js';
import {validate} from '../rules.js';
import type {HeldBack, World} from '../world.js';

const pageSize = 6;

/** Null where the post is gone. */
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

/** The newest first; those of one second in the order of their ids. */
const newestFirst = (one: HeldBack, other: HeldBack): number => secondOf(other) - secondOf(one) || one.row - other.row;

function approve({posts}: World, {postId, wasSensitive}: HeldBack): void {
  const post = posts.get(postId);
  if (post === undefined) return;
  post.visibility = 'public';
  post.sensitive = wasSensitive;
}

const ofAuthor = (world: World, {author}: HeldBack): readonly HeldBack[] => openEntries(world).filter((entry) => entry.author === author);

/** @returns what it handles */
const actions: Readonly<Record<string, (world: World, entry: HeldBack) => readonly HeldBack[]>> = {
  dismiss: (_, entry) => [entry],
  'dismiss-all': ofAuthor,
  approve(world, entry) {
    approve(world, entry);
    return [entry];
  },
  'approve-all'(world, entry) {
    const all = ofAuthor(world, entry);
    for (const each of all) approve(world, each);
    return all;
  },
  'delete-post'({posts}, entry) {
    posts.delete(entry.postId);
    return [entry];
  },
  'delete-account'(world, entry) {
    if (entry.author.admin) throw plainRefusal(400, {error: 'Cannot delete an admin account.'});
    const all = ofAuthor(world, entry);
    const user = world.userOf(entry.author);
    if (user !== undefined) world.deletePerson(user);
    return all;
  },
};

export const routes: readonly Route[] = [
  route(listAutospam, ({world, fields}) => {
    const page = Math.max(1, integerOf(fields['page'], 1));
    const entries = openEntries(world).toSorted(newestFirst);
    return {body: entries.slice((page - 1) * pageSize, page * pageSize).map((entry) => payload(world, entry))};
  }),

  route(handleAutospam, ({world, fields}) => {
    validate(fields, {id: 'required', action: `required|in:${Object.keys(actions).join()}`});
    const [id, action] = [textOf(fields['id']), textOf(fields['action']) ?? ''];
    const entry = openEntries(world).find(({row}) => String(row) === id);
    if (entry === undefined) throw refuseUnknown('AccountInterstitial', id ?? undefined);
    for (const each of actions[action]?.(world, entry) ?? []) each.handled = true;
    return {body: {status: 'success'}};
  }),
];
