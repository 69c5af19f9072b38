/** The profile that a command about profiles means. */
import {Failure} from '../client/failure.js';
import {meantProfile} from '../auth/identity.js';
import type {ProfileStore} from '../auth/profile-store.js';
import type {Session} from './session.js';

/**
 * Its name: the argument, else as flags, environment and what is active have it.
 * @throws Failure `usage` when nothing names one
 */
export async function namedProfile(argument: unknown, store: ProfileStore, {flags, io}: Session): Promise<string> {
  const {active} = await store.list();
  const profile = typeof argument === 'string' ? argument : flags.profile;
  const meant = meantProfile({profile, environment: io.env}, active);
  if (meant !== undefined) return meant.what;
  throw new Failure('usage', 'No profile is active', {hint: 'name one; `pixelctl auth status` lists them'});
}

/** Says what of the environment goes before the active profile, to who changes or asks which one that is. */
export function noteEnvironment(session: Session): void {
  if (session.flags.profile !== undefined) return;
  const set = ['PIXELCTL_TOKEN', 'PIXELCTL_TOKEN_FILE', 'PIXELCTL_PROFILE', 'PIXELCTL_SERVER'].filter(
    (name) => (session.io.env[name] ?? '') !== '',
  );
  if (set.length > 0) session.note(`Set in the environment, which goes before the active profile: ${set.join(', ')}.`);
}
