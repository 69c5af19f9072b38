import type {View} from '../api/view.js';

/** What the values of a list are called that have no names of their own. */
export function valueName(view: View | undefined): string {
  const [first] = view?.columns ?? [];
  return first?.path === '' ? first.header : 'value';
}
