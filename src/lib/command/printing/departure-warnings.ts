import type {Answer} from '../../client/answer.js';
import type {Session} from '../session.js';

/** Fields that are remembered; a server can make up any number of them. */
const mostFields = 1000;

/** Warns of departures from the documented shape; of those that every page has, on the first one only. */
export function departureWarnings(session: Session, host: string): (answer: Answer) => void {
  const told = new Set<string>();
  const {isVerbose} = session;
  return (answer) => {
    const departures = answer.departures.filter(({kind, path, message}) => {
      if (kind !== 'type' && !isVerbose) return false;
      const field = `${path.replaceAll(/\d+/g, '#')} ${message}`;
      return !told.has(field) && told.size < mostFields && told.add(field);
    });
    const type = departures.filter(({kind}) => kind === 'type').length;
    if (departures.length > 0) session.warnOfDepartures({departures, departureCounts: {...answer.departureCounts, type}}, host);
  };
}
