/** Where profiles live. */
import {homedir} from 'node:os';
import {isAbsolute, join, resolve} from 'node:path';

/** Each system's own place for settings that stay on this machine. */
function ownPlace(platform: NodeJS.Platform, environment: Readonly<Record<string, string | undefined>>, home: string): string {
  if (platform === 'win32') return environment['LOCALAPPDATA'] || join(home, 'AppData', 'Local');
  // The convention has it that a relative path is passed over.
  const named = environment['XDG_CONFIG_HOME'] ?? '';
  if (isAbsolute(named)) return named;
  return platform === 'darwin' ? join(home, 'Library', 'Application Support') : join(home, '.config');
}

/** The folder of profiles and secrets: `PIXELCTL_CONFIG_DIR`, else the system's own place. It need not exist. */
export function configFolder(
  environment: Readonly<Record<string, string | undefined>>,
  {platform = process.platform, home = homedir()}: {platform?: NodeJS.Platform; home?: string} = {},
): string {
  const named = environment['PIXELCTL_CONFIG_DIR'] ?? '';
  return named === '' ? join(ownPlace(platform, environment, home), 'pixelctl') : resolve(named);
}

/** The file that there is once a profile was saved. */
export const profilesFile = (folder: string): string => join(folder, 'profiles.json');
