/** Section 4.8: notifications. */
import {listNotifications} from '../../api/notifications.js';
import {integerOf, listOf, textOf} from '../fields.js';
import type {Notification} from '../model.js';
import {linkHeader} from '../paging.js';
import {notificationPayload} from '../payload/notification.js';
import {abort} from '../refusal.js';
import {route, type Call, type Route} from '../route.js';
import {integer, min, oneOf, validate} from '../rules.js';

const longestPage = 40;

const shown: readonly string[] = ['follow', 'follow_request', 'mention', 'reblog', 'favourite', 'poll', 'status'];

function wantedTypes({world, fields}: Call): readonly string[] | null {
  const {types} = fields;
  if (types === null || types === undefined) return null;
  if (typeof types !== 'string') return listOf(types).map(String);
  if (!world.facts.typesAsString) throw abort(500, 'in_array(): Argument #2 ($haystack) must be of type array, string given');
  return [types];
}

/** Newest first, within the bounds; the upper bound wins over the lower ones. `since_id` misses one. */
function within({world, fields, viewer}: Call): readonly Notification[] {
  const own = world.notifications.filter(({ownerId}) => ownerId === viewer.id).toReversed();
  const bound = (name: string): number | null => (textOf(fields[name]) === null ? null : integerOf(fields[name], 0));
  const below = bound('max_id');
  if (below !== null) return own.filter(({row}) => row < below);
  const since = bound('since_id');
  const above = bound('min_id') ?? (since === null ? 0 : since + 1);
  return own.filter(({row}) => row > above);
}

export const notificationRoutes: readonly Route[] = [
  route(listNotifications, (call) => {
    const {world, fields} = call;
    const bound = [integer, min(1)];
    validate(fields, {limit: bound, max_id: bound, min_id: bound, since_id: bound, type: [oneOf(shown)]});
    const types = wantedTypes(call);
    const limit = Math.min(integerOf(fields['limit'], 20), longestPage);
    // The list is cut before it is filtered: pages can be short or empty and still have a next one.
    const scanned = within(call).slice(0, types === null ? limit : (world.facts.notificationsScanned ?? limit));
    const items = scanned.filter(({type}) => shown.includes(type) && (types?.includes(type) ?? true)).slice(0, limit);
    const [first, last] = [scanned[0], scanned.at(-1)];
    const query = `${(types ?? []).map((type) => `types[]=${encodeURIComponent(type)}&`).join('')}limit=${limit}`;
    const url = `${world.publicUrl}${listNotifications.path}?${query}`;
    return {
      body: items.map((item) => notificationPayload(world, item)),
      headers: linkHeader(
        first && last
          ? [
              {rel: 'next', url: `${url}&max_id=${last.row}`},
              {rel: 'prev', url: `${url}&min_id=${first.row}`},
            ]
          : [],
      ),
      style: {plainSlashes: true},
    };
  }),
];
