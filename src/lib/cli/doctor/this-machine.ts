/** What can be wrong on this machine. */
import {access, constants} from 'node:fs/promises';
import {repairOf} from '../../client/failure.js';
import {configFolder, NotPrivate, profilesFile, secureFolder} from '../../files/own-folder.js';
import {readPrivate} from '../../files/private-file.js';
import {keyringProblem} from '../../auth/keyring.js';
import {openStore, savedProfiles} from '../connection.js';
import type {Environment} from '../io.js';
import type {Session} from '../session.js';
import {checking, unwell, well, type Check} from './check.js';

/** @param engines what package.json asks for: `>=22.19.0` */
function checkNode(engines: string): Check {
  const [leastMajor = 0, leastMinor = 0] = engines.replace(/^\D*/, '').split('.').map(Number);
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isEnough = major > leastMajor || (major === leastMajor && minor >= leastMinor);
  const detail = `Node ${process.versions.node}`;
  return isEnough ? well('node', detail) : unwell('node', detail, `install Node ${leastMajor}.${leastMinor} or newer`);
}

async function checkModes(folder: string | undefined, session: Session): Promise<Check> {
  const name = 'modes of the files';
  if (folder === undefined) return well(name, 'there is no folder for profiles');
  try {
    const secured = secureFolder(folder, {make: false});
    if (secured === undefined) return well(name, `${folder} does not exist yet`);
    for (const file of [profilesFile(folder), (await openStore(session)).secretsFile]) await readPrivate(file);
    return well(name, secured.openTo === 0 ? `${folder} is yours alone` : `${folder} was open to others, and is yours alone now`);
  } catch (error) {
    if (error instanceof NotPrivate) return unwell(name, error.message, repairOf(error));
    return unwell(name, `${folder} cannot be read`, 'look at its permissions');
  }
}

function checkKeyring(): Promise<Check> {
  return checking('keyring', async () => {
    const problem = await keyringProblem();
    return problem === undefined ? 'works' : `there is none here (${problem}): tokens are kept in a file that only you can read`;
  });
}

async function checkProxies(env: Environment): Promise<Check> {
  const set = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'NO_PROXY', 'no_proxy', 'NODE_EXTRA_CA_CERTS'].filter(
    (name) => (env[name] ?? '') !== '',
  );
  const isUnchecked = env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0';
  if (isUnchecked) {
    return unwell(
      'proxy and TLS',
      'NODE_TLS_REJECT_UNAUTHORIZED=0 lets anybody pose as the server',
      'unset it; NODE_EXTRA_CA_CERTS adds a certificate authority',
    );
  }
  const authorities = env['NODE_EXTRA_CA_CERTS'] ?? '';
  const isMissing =
    authorities !== '' &&
    !(await access(authorities, constants.R_OK).then(
      () => true,
      () => false,
    ));
  if (isMissing)
    return unwell(
      'proxy and TLS',
      `NODE_EXTRA_CA_CERTS names ${authorities}, which cannot be read`,
      'name a file with certificates, or unset it',
    );
  return well(
    'proxy and TLS',
    set.length === 0 ? 'no proxy, usual certificates' : `${set.join(', ')} ${set.length === 1 ? 'is' : 'are'} set`,
  );
}

export async function examineThisMachine(session: Session, engines: string): Promise<Check[]> {
  const folder = configFolder(session.io.env);
  // Begins first: whoever reads the profiles closes their folder.
  const modes = checkModes(folder, session);
  return Promise.all([
    checkNode(engines),
    checking('profiles', async () => {
      if (folder === undefined) return 'none can be kept: HOME is not an absolute path';
      const {active, profiles} = await savedProfiles(session).list();
      const count = `${profiles.length} ${profiles.length === 1 ? 'profile' : 'profiles'}`;
      return `${count} in ${folder}${active === null ? '' : `, ${active} is active`}`;
    }),
    modes,
    checkKeyring(),
    checkProxies(session.io.env),
  ]);
}
