import {Session} from '../session.js';

/** The same run as another profile; a server that was named does not count there. */
export function sessionAs(profile: string, {flags, userAgent}: Session): Session {
  return new Session({...flags, server: undefined, profile}, userAgent);
}
