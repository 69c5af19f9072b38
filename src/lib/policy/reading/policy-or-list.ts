/** Tells policies from lists, which may both be anybody's. */
import {Failure} from '../../client/failure.js';
import {isPixelfedInstances} from '../lists/pixelfed-instances.js';
import {headerOf} from '../lists/table-list.js';
import type {List} from '../lists/list.js';
import {leftOutTexts, summaryOf} from '../lists/merge.js';
import {readList, refuseRowMistakes} from '../lists/read-list.js';

/** A list that is named on the command line, and what of it is left out, for people. @throws Failure `usage` for what is none, or has mistakes */
export function readGivenList(text: string, name: string): {readonly list: List; readonly notes: readonly string[]} {
  const list = readList(text, name);
  refuseRowMistakes(list);
  return {list, notes: list.kind === 'domains' ? leftOutTexts(summaryOf(list)) : []};
}

/** A policy names the version of its format, and of lists only one format does. */
export function isPolicy(text: string): boolean {
  const [first = ''] = text.split(/\r\n|\r|\n/, 1);
  // A comment in a table may have any lines.
  return headerOf(first) === undefined && !isPixelfedInstances(text) && /^[ \t{]*["']?version["']?[ \t]*:/m.test(text);
}

/** Characters of a policy from the web: reading YAML takes a thousand times the memory of its text. */
const maxFetched = 256 * 1024;

/**
 * @param name the path or address of the policy
 * @throws Failure `usage` for a policy from the web that is larger than any that a person writes
 */
export function refuseLargeFetched(name: string, text: string): void {
  if (!/^https?:\/\//i.test(name) || text.length <= maxFetched) return;
  throw new Failure('usage', `The policy ${name} is larger than ${maxFetched / 1024} KiB`, {
    hint: 'save it as a file, check it, and name the file',
  });
}
