import {type AccountInUse, completeCommand, defaultAccount} from '../account-in-use.js';
import {Failure, repairOf} from '../../client/failure.js';
import {connect, type Connection} from '../connection.js';
import {openStore, knownProfiles} from '../known-profiles.js';
import {hintFor} from '../errors.js';
import {ownResult, type Result} from '../sink.js';
import {checksView} from './view.js';
import type {Session} from '../session.js';
import {httpDate} from '../../client/http-date.js';
import {access, constants} from 'node:fs/promises';
import {claimsOf, definesProfiles, keyringProblem} from '../../auth/index.js';
import {cacheFolder, configFolder, NotPrivate, profilesFile, secureFolder} from '../../files/own-folder.js';
import {readPrivate} from '../../files/private-file.js';
import {storageIn} from '../sign-in/prompts.js';
import type {Environment} from '../../files/runtime.js';
import {whoAmI} from '../../operations/accounts.js';
import type {Client} from '../../client/client.js';
import {booleanAt} from '../../json/path.js';
import {counted} from '../../json/text.js';
import {countKeptIds, keptIdFiles} from '../../operations/kept-ids.js';
import {isSingleFile, runtime} from '../../files/runtime.js';
import {serverRelease, type ServerRelease} from '../../operations/server-release.js';

/** Runs all checks. A failed check does not prevent the others. */
async function examine(session: Session): Promise<{checks: Check[]; failure: Failure | undefined}> {
  const checks = [...(await examineThisMachine(session)), ...(await examineConnection(session))];
  return {checks, failure: checks.find(({ok}) => !ok)?.failure};
}

async function examineConnection(session: Session): Promise<Check[]> {
  try {
    await using connection = await connect(session);
    return await examineServer(connection);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [failing('server', error.message, hintFor(error, session.inUse) ?? 'see `pixelctl --help`', error)];
  }
}

export interface Check {
  readonly name: string;
  readonly ok: boolean;
  /** What was found. */
  readonly detail: string;
  /** How to fix it, when the check failed. */
  readonly fix?: string | undefined;
  /** The failure behind it, which determines the exit status. */
  readonly failure?: Failure | undefined;
}

export function passing(name: string, detail: string): Check {
  return {name, ok: true, detail};
}

export function failing(name: string, detail: string, fix: string, failure?: Failure): Check {
  return {name, ok: false, detail, fix, failure: failure ?? new Failure('local', `${name}: ${detail}`, {hint: fix})};
}

/** Runs a check; a Failure becomes its result. @param inUse the account that is checked, where there is one */
export async function checking(
  name: string,
  look: () => Promise<Check | string> | Check | string,
  inUse: AccountInUse = defaultAccount,
): Promise<Check> {
  try {
    const found = await look();
    return typeof found === 'string' ? passing(name, found) : found;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return failing(name, error.message, hintFor(error, inUse) ?? 'see `pixelctl --help`', error);
  }
}

/** Of another Node the program does not get as far as this. */
function checkRuntime(): Check {
  const {name, version} = runtime;
  return passing('runtime', `${name} ${version}${isSingleFile ? ', inside the program' : ''}`);
}

async function checkModes(folder: string | undefined, session: Session): Promise<Check> {
  const name = 'file permissions';
  if (folder === undefined) return passing(name, 'no folder for profiles');
  try {
    const secured = secureFolder(folder, {make: false});
    if (secured === undefined) return passing(name, `${folder} does not exist yet`);
    for (const file of [profilesFile(folder), (await openStore(session)).secretsFile]) await readPrivate(file);
    return passing(name, secured.openTo === 0 ? `only you can read ${folder}` : `others could read ${folder}; it is private now`);
  } catch (error) {
    if (error instanceof NotPrivate) return failing(name, error.message, repairOf(error));
    return failing(name, `${folder} cannot be read`, 'check its permissions');
  }
}

function checkKeyring({io}: Session): Promise<Check> {
  return checking('keyring', async () => {
    const isFile = storageIn({'insecure-storage': false}, io.env) === 'file';
    if (isFile) return 'not tried: with PIXELCTL_STORAGE=file, new tokens are stored in a file that only you can read';
    const problem = await keyringProblem();
    return problem === undefined ? 'works' : `not available (${problem}): tokens are stored in a file that only you can read`;
  });
}

/** Ids of accounts that earlier runs found, and where they are. */
function checkKeptIds({io}: Session): Promise<Check> {
  return checking('cached account ids', async () => {
    const folder = cacheFolder(io.env);
    const count = folder === undefined ? 0 : await countKeptIds(folder, io.now().getTime());
    if (count === 0) return 'none';
    return `${counted(count, 'account')}, kept for one day; to clear them, remove ${keptIdFiles} in ${folder}`;
  });
}

async function checkProxies(env: Environment): Promise<Check> {
  const set = [
    'HTTPS_PROXY',
    'https_proxy',
    'HTTP_PROXY',
    'http_proxy',
    'NO_PROXY',
    'no_proxy',
    'NODE_EXTRA_CA_CERTS',
    'SSL_CERT_FILE',
  ].filter((name) => (env[name] ?? '') !== '');
  const isUnchecked = env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0';
  if (isUnchecked) {
    return failing(
      'proxy and TLS',
      'NODE_TLS_REJECT_UNAUTHORIZED=0 disables certificate checks',
      'unset it; to trust another certificate authority, set NODE_EXTRA_CA_CERTS',
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
    return failing(
      'proxy and TLS',
      `NODE_EXTRA_CA_CERTS names ${authorities}, which cannot be read`,
      'set it to a certificate file, or unset it',
    );
  return passing(
    'proxy and TLS',
    set.length === 0 ? 'no proxy, default certificates' : `${set.join(', ')} ${set.length === 1 ? 'is' : 'are'} set`,
  );
}

async function examineThisMachine(session: Session): Promise<Check[]> {
  const folder = configFolder(session.io.env);
  // Starts first, because reading the profiles makes their folder private.
  const modes = checkModes(folder, session);
  return Promise.all([
    checkRuntime(),
    checking('profiles', async () => {
      const isOfEnvironment = definesProfiles(session.io.env);
      if (folder === undefined && !isOfEnvironment) return 'none: HOME is not an absolute path';
      const {active, profiles} = await (await knownProfiles(session)).list();
      return `${counted(profiles.length, 'profile')} in ${isOfEnvironment ? 'PIXELCTL_PROFILES' : folder}${active === null ? '' : `, ${active} is active`}`;
    }),
    modes,
    checkKeyring(session),
    checkKeptIds(session),
    checkProxies(session.io.env),
  ]);
}

/** Seconds that the clocks may differ. Beyond that, tokens seem to expire too early or too late. */
const maxSkew = 60;

/** Milliseconds to wait for the server. */
const patience = 10_000;

/** Requests the server's release. Any response shows that the server is reachable. */
async function reach(client: Client): Promise<Failure | ServerRelease> {
  try {
    return await serverRelease(client);
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'unavailable' || error.details.status === undefined) throw error;
    return error;
  }
}

function checkClock({date}: ServerRelease, now: Date): Check {
  const theirs = httpDate(date);
  if (theirs === undefined) return passing('clock', 'the server does not send its time');
  const skew = Math.round((now.getTime() - theirs) / 1000);
  const detail = `${Math.abs(skew)} s ${skew < 0 ? 'behind' : 'ahead of'} the server`;
  return Math.abs(skew) <= maxSkew ? passing('clock', detail) : failing('clock', detail, 'set the clock of this machine');
}

/** Features that a server can switch off, with their paths in its configuration. */
const switches: readonly (readonly [name: string, path: readonly string[]])[] = [
  ['stories', ['features', 'stories']],
  ['video', ['features', 'video']],
  ['group chats', ['limits', 'direct_messages', 'group_chats', 'enabled']],
  ['sign-in of programs', ['oauth']],
];

function featuresOf({version, configuration}: ServerRelease): string {
  const release = version ?? 'unknown release';
  if (configuration === undefined) return `${release}: without conversations and published limits`;
  const off = switches.flatMap(([name, path]) => (booleanAt(configuration, path) === false ? [name] : []));
  return `${release}: with conversations and published limits${off.length === 0 ? '' : `; without ${off.join(', ')}`}`;
}

interface AboutToken {
  readonly scopes: readonly string[] | null | undefined;
  readonly end: string | null | undefined;
}

/** The scopes and expiry of a token, from its claims or from the sign-in. */
async function aboutToken({identity}: Connection): Promise<AboutToken> {
  const {profile} = identity;
  const token = await identity.token();
  const claims = token === undefined ? {} : claimsOf(token);
  return {scopes: claims.scopes ?? profile?.scopes, end: claims.expiresAt ?? profile?.expiresAt};
}

/** Whether the server answers this admin, and so whether the profile can be used for what only admins do. */
function checkAdmin({inUse}: Connection, client: Client): Promise<Check> {
  return checking(
    'admin',
    async () => {
      const {getAdminSupport} = await import('../../api/internal.js');
      try {
        const {value} = await client.call(getAdminSupport, {});
        return booleanAt(value, ['supported']) === false
          ? `${client.host} does not support apps for admins`
          : `${client.host} answers this admin`;
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'not_found') throw error;
        return `${client.host} has no admin API like Pixelfed's`;
      }
    },
    inUse,
  );
}

/** Whether an admin's list of blocks can be read: notes that were typed on the server's own page break it. */
async function checkBlocks({inUse}: Connection, client: Client): Promise<Check> {
  const name = 'server blocks';
  const look = async () => {
    const {healing, typedNotes} = await import('../../operations/typed-notes.js');
    const {blocks, typed} = await typedNotes(client);
    if (typed.length === 0) return `of ${counted(blocks, 'domain')}, listed by the server`;
    const domains = typed.map(({domain}) => domain).join(', ');
    const detail = `${client.host} cannot list its blocks, because notes were typed on its own admin page: ${domains}`;
    const fix = `turn the notes into comments: ${typed.map((one) => `\`${completeCommand(healing(one), inUse)}\``).join('; ')}`;
    return failing(name, detail, fix, new Failure('unavailable', detail, {hint: fix, reason: 'typed_note'}));
  };
  return checking(name, look, inUse);
}

async function checkToken(connection: Connection, client: Client): Promise<Check> {
  const {scopes: known, end} = await aboutToken(connection);
  const scopes = known ? `with the scopes ${known.join(' ')}` : 'with unknown scopes';
  const until = end ? `, until ${end}` : '';
  try {
    // What a profile says of its account was checked when it was chosen.
    const warn = connection.identity.profile?.account ? undefined : (text: string) => connection.session.warn(text);
    const account = await whoAmI(client, warn);
    const about = `${scopes}${until} (from ${connection.identity.tokenSource})`;
    if (account !== undefined) return passing('token', `of @${account.acct}, ${about}`);
    const detail = `not checked: ${client.host} does not say whose token it is, ${about}`;
    const hint = 'check that this is the address of a Pixelfed server';
    return failing('token', detail, hint, new Failure('not_found', `token: ${detail}`, {hint}));
  } catch (error) {
    if (error instanceof Failure && error.details.reason === 'scope')
      return failing(
        'token',
        `accepted, but not allowed to read, ${scopes}${until}`,
        hintFor(error, connection.inUse) ?? 'sign in again',
        error,
      );
    throw error;
  }
}

async function examineServer(connection: Connection): Promise<Check[]> {
  const {server, identity} = connection;
  const timeout = Math.min(patience, connection.session.timeout ?? patience);
  // What there is to warn of is found by a check.
  await using client = connection.newClient({timeout, retries: 0, maxWait: 0, warn: () => {}});
  let reached: Failure | ServerRelease | undefined;
  const there = await checking(
    'reachable',
    async () => {
      reached = await reach(client);
      return `${server.origin} answers (named by ${identity.source})`;
    },
    connection.inUse,
  );
  if (reached === undefined) return [there];
  const about = reached;
  const token = await checking('token', () => checkToken(connection, client), connection.inUse);
  if (about instanceof Failure)
    return [there, failing('server', about.message, 'check that this is the address of a Pixelfed server', about), token];
  const checks = [there, checkClock(about, connection.session.io.now()), passing('server', featuresOf(about)), token];
  if (!token.ok) return checks;
  const {scopes} = await aboutToken(connection);
  if (scopes?.some((scope) => scope.startsWith('admin:read')) === true)
    return [...checks, await checkAdmin(connection, client), await checkBlocks(connection, client)];
  if (scopes) return checks;
  // Only the server knows whether such a token is an admin's.
  const blocks = await checkBlocks(connection, client);
  return blocks.ok || blocks.failure?.details.reason === 'typed_note' ? [...checks, blocks] : checks;
}

/** What `doctor` finds: the checks, and the failure of the first that fails. */
export async function diagnose(session: Session): Promise<Result> {
  const {checks, failure} = await examine(session);
  const report = {ok: failure === undefined, checks: checks.map(({name, ok, detail, fix}) => ({name, ok, detail, fix: fix ?? null}))};
  return {...ownResult(report, {view: checksView, at: ['checks']}), failure};
}
