/** Where answers depart from the documented shape. */
import type {Answer} from '../../client/answer.js';
import {moreThan} from '../../client/mismatch.js';
import type {Session} from '../session.js';

/** Fields that are remembered; a server can make up any number of them. */
const mostFields = 1000;

/** Says what is new in one warning, the rest to the verbose. */
export function warnOfDepartures(
  {mismatches, mismatchCounts}: Pick<Answer, 'mismatchCounts' | 'mismatches'>,
  host: string,
  session: Session,
): void {
  const first = mismatches.find(({kind}) => kind === 'type');
  if (first !== undefined) {
    const more = moreThan(1, 'type', mismatchCounts);
    session.warn(
      `${host} answers otherwise than documented: ${first.path}: ${first.message}${more === undefined ? '' : `, and ${more} like it`}`,
    );
  }
  if (!session.isVerbose) return;
  for (const {kind, path, message} of mismatches) {
    if (kind !== 'type') session.tell(`* ${kind === 'known' ? 'known departure' : 'not in the answer'}: ${path}: ${message}`);
  }
}

/** Warns of mismatches from the documented shape; of those that every page has, on the first one only. */
export function departureWarnings(session: Session, host: string): (answer: Answer) => void {
  const told = new Set<string>();
  const {isVerbose} = session;
  return (answer) => {
    const mismatches = answer.mismatches.filter(({kind, path, message}) => {
      if (kind !== 'type' && !isVerbose) return false;
      const field = `${path.replaceAll(/\d+/g, '#')} ${message}`;
      return !told.has(field) && told.size < mostFields && told.add(field);
    });
    const type = mismatches.filter(({kind}) => kind === 'type').length;
    if (mismatches.length > 0) warnOfDepartures({mismatches, mismatchCounts: {known: 0, missing: 0, shape: 0, type}}, host, session);
  };
}
