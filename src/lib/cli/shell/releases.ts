/** Where releases are, and whether to look for a newer one. Loaded by every command: what looks is in update-note.ts. */
import type {Io} from '../io.js';

/**
 * The address of the releases: files of a release are in `download/vVERSION/` below it, those of the latest one in `latest/download/`.
 * Empty as long as there is no such address: nothing is looked up then, and the release script refuses to run.
 */
const releaseUrl: string = '';

/** The word with which the program starts itself to look for a newer release. */
export const updateCheck = '__update-check';

/** @returns the address of the releases, which may be empty */
export function releaseUrlOf(env: Io['env']): string {
  return env['PIXELCTL_RELEASE_URL'] || releaseUrl;
}

const isSet = (value: string | undefined): boolean => value !== undefined && !['', '0', 'false'].includes(value);

/** Whether a run may end with a note on a newer release: it is at a terminal, succeeded, and nobody has turned such notes off. */
export function mayNoteUpdate(argv: readonly string[], {env, out, err, system}: Io): boolean {
  if (releaseUrlOf(env) === '' || !out.isTerminal || !err.isTerminal) return false;
  if (Number(system.exitCode ?? 0) !== 0 || argv.includes('--quiet')) return false;
  return !['PIXELCTL_NO_UPDATE_NOTIFIER', 'CI', 'BUILD_NUMBER', 'RUN_ID'].some((name) => isSet(env[name]));
}
