/** The format of Mastodon's export of filters. */
import type {FilterValue} from '../model/value.js';
import type {WrittenList} from '../lists/write-list.js';

export function mastodonFilters(items: readonly (readonly [title: string, value: FilterValue])[]): WrittenList {
  const custom_filters = items.map(([title, {context, action, expires, keywords}]) => ({
    title,
    expire_at: expires === undefined || expires === 'never' ? null : expires,
    context,
    action,
    keywords_attributes: keywords,
    statuses: [],
  }));
  return {text: `${JSON.stringify({custom_filters}, null, 2)}\n`, leftOut: []};
}
