import type {UsedList} from '../../../../src/lib/policy/lists/list.js';
import {readList} from '../../../../src/lib/policy/lists/read-list.js';
import type {ListReference} from '../../../../src/lib/policy/model/policy.js';

/** A list as a policy that says nothing else about it uses it. */
export function used(name: string, text: string, more: Partial<ListReference> = {}): UsedList {
  const reference: ListReference = {
    name,
    isRemote: false,
    where: 'p.yml:1',
    minSeverity: 'silence',
    mayBeEmpty: false,
    ...more,
  };
  return {reference, list: readList(text, name)};
}
