import {stat} from 'node:fs/promises';
import {definesProfiles, type KnownProfiles, type ProfileStore, type Storage} from '../auth/index.js';
import {Failure} from '../client/failure.js';
import {configFolder, profilesFile} from '../files/own-folder.js';
import type {Environment} from '../files/runtime.js';
import {absent} from '../files/system-error.js';
import type {Session} from './session.js';

/**
 * Opens the saved profiles. Their code is loaded late, because most runs in CI have none.
 * @throws Failure `local` for a user without a home folder
 */
export async function openStore({io}: Pick<Session, 'io'>, storage?: Storage): Promise<ProfileStore> {
  const folder = configFolder(io.env);
  if (folder === undefined) {
    throw new Failure('local', 'No folder for profiles: HOME is not an absolute path', {
      hint: 'set HOME, or set PIXELCTL_CONFIG_DIR to a folder',
    });
  }
  const {ProfileStore} = await import('../auth/profile-store.js');
  return new ProfileStore(folder, {storage});
}

/**
 * Where new tokens are stored; undefined where the user has not chosen.
 * @throws Failure `usage` for an unknown place
 */
export function storageIn({PIXELCTL_STORAGE: named = ''}: Environment): Storage | undefined {
  if (named === '') return undefined;
  if (named === 'file' || named === 'keyring') return named;
  throw new Failure('usage', 'PIXELCTL_STORAGE must be file or keyring');
}

/**
 * Opens the saved profiles, to change them.
 * @throws Failure `usage` where the environment defines the profiles, which no command can change
 */
export async function openSavedProfiles(session: Pick<Session, 'io'>, storage?: Storage): Promise<ProfileStore> {
  if (!definesProfiles(session.io.env)) return openStore(session, storage);
  throw new Failure('usage', 'Saved profiles cannot be changed while PIXELCTL_PROFILES is set: it defines the profiles to use instead', {
    hint: 'unset PIXELCTL_PROFILES',
  });
}

/**
 * The profiles of a run: those that the environment defines, or else the saved ones, whose code is loaded only when the file exists.
 * @throws Failure `usage` when the environment defines them wrongly
 */
export async function knownProfiles(session: Pick<Session, 'io'>): Promise<KnownProfiles> {
  const {env} = session.io;
  const ofEnvironment = definesProfiles(env) ? (await import('../auth/environment.js')).environmentProfiles(env) : undefined;
  if (ofEnvironment !== undefined) return ofEnvironment;
  return {
    async list() {
      const folder = configFolder(env);
      // A file that cannot be accessed counts as there, because opening the store then reports why.
      const found =
        folder === undefined
          ? undefined
          : await stat(profilesFile(folder))
              .catch(absent)
              .catch(() => true);
      return found === undefined ? {active: null, profiles: []} : (await openStore(session)).list();
    },
    get: async (name) => (await openStore(session)).get(name),
  };
}
