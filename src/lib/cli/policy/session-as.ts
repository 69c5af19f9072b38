import type {Session} from '../session.js';

/** The same run as another profile; a server that was named does not count there. */
export function sessionAs(profile: string, session: Session): Session {
  return session.with({server: undefined, profile});
}
