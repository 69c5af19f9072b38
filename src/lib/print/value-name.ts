import type {View} from './columns.js';
import {views, type ViewName} from './views.js';

/** What the values of a list are called that have no names of their own. */
export function valueName(view: ViewName | undefined): string {
  const chosen: View | undefined = view && views[view];
  const [first] = chosen?.columns ?? [];
  return first?.path === '' ? first.header : 'value';
}
