/** The names of what could not be read. */
import {Failure} from '../../client/failure.js';
import {failureOfSkipped, type Skipped} from '../model/difference.js';
import {sectionOf} from './index.js';

/** The failure to read parts of the state, with their names. */
export function blindness(skipped: readonly Skipped[], host: string): Failure | undefined {
  const failure = failureOfSkipped(skipped);
  if (failure === undefined) return undefined;
  const unread = skipped.filter((one) => one.failure?.code === failure.code);
  const names = new Set(unread.flatMap(({kind}) => sectionOf(kind)?.words.all ?? []));
  return new Failure(failure.code, `Cannot read ${[...names].join(', ')} of ${host}: ${failure.message}`, failure.details);
}
