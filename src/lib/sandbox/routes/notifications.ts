import {listNotifications} from '../../api/notifications.js';
import {factsOf} from '../../api/schema.js';
import {linkHeader} from '../collection.js';
import {compatibleAccount, compatiblePost} from '../payloads.js';
import {integerOf, listOf, textOf} from '../received-request.js';
import {abort, jsonAnswer} from '../refusal.js';
import {type Call, route, type Route, unchecked} from '../route.js';

const maxPageSize = 40;

/** How many notifications older servers look through for one page of some types. */
const scannedBefore2026 = 150;

const shown = factsOf(listNotifications.query.types)?.known ?? [];

function wantedTypes({world, fields}: Call): readonly string[] | null {
  const {types} = fields;
  if (types === null || types === undefined) return null;
  if (typeof types !== 'string') return listOf(types).map(String);
  if (!world.facts.is2026) throw abort(500, 'in_array(): Argument #2 ($haystack) must be of type array, string given');
  return [types];
}

/** The viewer's notifications within the bounds, newest first. The upper bound wins over the lower ones, and `since_id` misses one. */
function within({world, fields, viewer}: Call) {
  const readBound = (name: string): number | null => (textOf(fields[name]) === null ? null : integerOf(fields[name], 0));
  const [below, above, since] = ['max_id', 'min_id', 'since_id'].map(readBound);
  const isWithin = (row: number) => (below == null ? row > (above ?? (since == null ? 0 : since + 1)) : row < below);
  return world.notifications
    .list()
    .filter(({ownerId, row}) => ownerId === viewer.id && isWithin(row))
    .toReversed();
}

const bound = ['integer', 'min:1'];

export const routes: readonly Route[] = [
  route(
    unchecked(listNotifications),
    (call) => {
      const {world, fields} = call;
      const types = wantedTypes(call);
      const limit = Math.min(integerOf(fields['limit'], 20), maxPageSize);
      // The list is cut before it is filtered: pages can be short or empty and still have a next one.
      const scanned = within(call).slice(0, types === null || world.facts.is2026 ? limit : scannedBefore2026);
      const items = scanned.filter(({type}) => shown.includes(type) && (types?.includes(type) ?? true)).slice(0, limit);
      const body = items.map(({row, type, created_at, account, post}) => ({
        id: String(row),
        type,
        created_at,
        account: compatibleAccount(world, account),
        ...(post && {status: compatiblePost(world, post)}),
      }));
      const [first, last] = [scanned[0], scanned.at(-1)];
      const query = `${(types ?? []).map((type) => `types[]=${encodeURIComponent(type)}&`).join('')}limit=${limit}`;
      const url = `${world.linkUrl}${listNotifications.path}?${query}`;
      return jsonAnswer(body, 200, linkHeader({next: last && `${url}&max_id=${last.row}`, prev: first && `${url}&min_id=${first.row}`}));
    },
    // Servers look at one type, and pass over unknown ones of several.
    {limit: bound, max_id: bound, min_id: bound, since_id: bound, type: [`in:${shown.join()}`]},
  ),
];
