import type {Notification, Post, World} from '../world.js';
import {compatibleAccount} from '../account-payloads.js';
import {postMedium} from '../media.js';
import {postPayload as nativePost} from '../post-payloads.js';
import {listNotifications} from '../../api/notifications.js';
import {integerOf, listOf, textOf} from '../received-request.js';
import {linkHeader} from '../pages.js';
import {abort} from '../refusal.js';
import {type Call, route, type Route} from '../route.js';
import {validate} from '../rules.js';

type Payload = Readonly<Record<string, unknown>>;

function postPayload(world: World, post: Post): Payload {
  const countNotifications = (type: string): number =>
    world.notifications.list().filter((notification) => notification.post === post && notification.type === type).length;
  const {_v, shortcode, content_text, pf_type, reply_count, comments_disabled, thread, replies, parent, place, local, ...rest} = nativePost(
    world,
    post,
  );
  const {taggedPeople, label, liked_by, ...common} = rest;
  return {
    ...common,
    in_reply_to_id: null,
    in_reply_to_account_id: null,
    reblogs_count: countNotifications('reblog'),
    favourites_count: countNotifications('favourite'),
    reblogged: false,
    favourited: false,
    muted: false,
    account: compatibleAccount(world, post.author),
    replies_count: 0,
    media_attachments: [postMedium(world, post.media)],
    bookmarked: false,
  };
}

function notificationPayload(world: World, {row, type, createdAt, actor, post}: Notification): Payload {
  return {
    id: String(row),
    type,
    created_at: createdAt.toISOString(),
    account: compatibleAccount(world, actor),
    ...(post ? {status: postPayload(world, post)} : {}),
  };
}

const maxPageSize = 40;

/** How many notifications older servers look through for one page of some types. */
const scannedBefore2026 = 150;

const shown: readonly string[] = ['follow', 'follow_request', 'mention', 'reblog', 'favourite', 'poll', 'status'];

function wantedTypes({world, fields}: Call): readonly string[] | null {
  const {types} = fields;
  if (types === null || types === undefined) return null;
  if (typeof types !== 'string') return listOf(types).map(String);
  if (!world.facts.is2026) throw abort(500, 'in_array(): Argument #2 ($haystack) must be of type array, string given');
  return [types];
}

/** The viewer's notifications within the bounds, newest first. The upper bound wins over the lower ones, and `since_id` misses one. */
function within({world, fields, viewer}: Call): readonly Notification[] {
  const own = world.notifications
    .list()
    .filter(({ownerId}) => ownerId === viewer.id)
    .toReversed();
  const readBound = (name: string): number | null => (textOf(fields[name]) === null ? null : integerOf(fields[name], 0));
  const below = readBound('max_id');
  if (below !== null) return own.filter(({row}) => row < below);
  const since = readBound('since_id');
  const above = readBound('min_id') ?? (since === null ? 0 : since + 1);
  return own.filter(({row}) => row > above);
}

export const routes: readonly Route[] = [
  route(listNotifications, (call) => {
    const {world, fields} = call;
    const bound = 'integer|min:1';
    validate(fields, {limit: bound, max_id: bound, min_id: bound, since_id: bound, type: `in:${shown.join()}`});
    const types = wantedTypes(call);
    const limit = Math.min(integerOf(fields['limit'], 20), maxPageSize);
    // The list is cut before it is filtered: pages can be short or empty and still have a next one.
    const scanned = within(call).slice(0, types === null || world.facts.is2026 ? limit : scannedBefore2026);
    const items = scanned.filter(({type}) => shown.includes(type) && (types?.includes(type) ?? true)).slice(0, limit);
    const [first, last] = [scanned[0], scanned.at(-1)];
    const query = `${(types ?? []).map((type) => `types[]=${encodeURIComponent(type)}&`).join('')}limit=${limit}`;
    const url = `${world.linkUrl}${listNotifications.path}?${query}`;
    return {
      body: items.map((item) => notificationPayload(world, item)),
      headers: linkHeader({next: last && `${url}&max_id=${last.row}`, prev: first && `${url}&min_id=${first.row}`}),
    };
  }),
];
