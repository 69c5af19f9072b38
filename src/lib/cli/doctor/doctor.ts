/** What `doctor` does: eight checks of the machine, the profiles and the server. One that fails does not prevent the others. */
import {access, constants} from 'node:fs/promises';
import {type AccountInUse, completeCommand, defaultAccount} from '../account-in-use.js';
import {connect, type Connection} from '../connection.js';
import {hintFor} from '../errors.js';
import {knownProfiles, openStore} from '../known-profiles.js';
import type {Session} from '../session.js';
import {storageIn} from '../sign-in/sign-in-prompts.js';
import {type Result} from '../sink.js';
import {claimsOf, definesProfiles, keyringProblem} from '../../auth/index.js';
import type {Client} from '../../client/client.js';
import {Failure} from '../../client/failure.js';
import {httpDate} from '../../client/http-date.js';
import {configFolder} from '../../files/own-folder.js';
import {isSingleFile, runtime, type Environment} from '../../files/runtime.js';
import {booleanAt} from '../../json/path.js';
import {countNoun} from '../../json/text.js';
import {whoAmI} from '../../operations/accounts.js';
import {serverRelease, type ServerRelease} from '../../operations/server-release.js';
import {checksView} from './doctor-view.js';

interface Check {
  readonly name: string;
  readonly ok: boolean;
  /** What was found. */
  readonly detail: string;
  /** How to fix it, when the check failed. */
  readonly fix?: string;
  /** The failure behind it, which determines the exit status. */
  readonly failure?: Failure;
}

const passing = (name: string, detail: string): Check => ({name, ok: true, detail});

function failing(name: string, detail: string, fix: string, failure?: Failure): Check {
  return {name, ok: false, detail, fix, failure: failure ?? new Failure('local', `${name}: ${detail}`, {hint: fix})};
}

/** @param inUse the account that is checked, where there is one */
function failedBy(name: string, error: unknown, inUse: AccountInUse = defaultAccount): Check {
  if (!(error instanceof Failure)) throw error;
  return failing(name, error.message, hintFor(error, inUse) ?? 'see `pixelctl --help`', error);
}

/** Runs a check; a Failure becomes its result. */
async function checking(name: string, look: () => Promise<Check | string>, inUse?: AccountInUse): Promise<Check> {
  try {
    const found = await look();
    return typeof found === 'string' ? passing(name, found) : found;
  } catch (error) {
    return failedBy(name, error, inUse);
  }
}

/** Of another Node the program does not get as far as this. */
function checkRuntime(): Check {
  const {name, version} = runtime;
  return passing('runtime', `${name} ${version}${isSingleFile ? ', inside the program' : ''}`);
}

/** Which profiles there are, and that only their owner can read them. */
function checkProfiles(session: Session): Promise<Check> {
  return checking('profiles', async () => {
    const folder = configFolder(session.io.env);
    const isOfEnvironment = definesProfiles(session.io.env);
    if (folder === undefined && !isOfEnvironment) return 'none: HOME is not an absolute path';
    const wasOpen = folder !== undefined && (await (await openStore(session)).closeAndCheck());
    const {active, profiles} = await (await knownProfiles(session)).list();
    const details = [
      `${countNoun(profiles.length, 'profile')} in ${isOfEnvironment ? 'PIXELCTL_PROFILES' : folder}`,
      ...(active === null ? [] : [`${active} is active`]),
      ...(wasOpen ? [`others could read ${folder}; it is private now`] : []),
    ];
    return details.join(', ');
  });
}

function checkKeyring({io}: Session): Promise<Check> {
  return checking('keyring', async () => {
    const isFile = storageIn({'insecure-storage': false}, io.env) === 'file';
    if (isFile) return 'not tried: with PIXELCTL_STORAGE=file, new tokens are stored in a file that only you can read';
    const problem = await keyringProblem();
    return problem === undefined ? 'works' : 'none: tokens are in a file that only you can read';
  });
}

const networkVariables = [
  'HTTPS_PROXY',
  'https_proxy',
  'HTTP_PROXY',
  'http_proxy',
  'NO_PROXY',
  'no_proxy',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
];

async function checkNetwork(env: Environment): Promise<Check> {
  const name = 'proxy and TLS';
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    const fix = 'unset it; to trust another certificate authority, set NODE_EXTRA_CA_CERTS';
    return failing(name, 'NODE_TLS_REJECT_UNAUTHORIZED=0 disables certificate checks', fix);
  }
  const set = networkVariables.filter((variable) => (env[variable] ?? '') !== '');
  const detail = set.length === 0 ? 'no proxy, default certificates' : `${set.join(', ')} ${set.length === 1 ? 'is' : 'are'} set`;
  const authorities = env['NODE_EXTRA_CA_CERTS'] ?? '';
  if (authorities === '') return passing(name, detail);
  return access(authorities, constants.R_OK).then(
    () => passing(name, detail),
    () => failing(name, `NODE_EXTRA_CA_CERTS names ${authorities}, which cannot be read`, 'set it to a certificate file, or unset it'),
  );
}

/** Seconds that the clocks may differ. Beyond that, tokens seem to expire too early or too late. */
const maxSkew = 60;

/** Milliseconds to wait for the server. */
const patience = 10_000;

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
  if (configuration === undefined) return `${release}, without conversations and published limits`;
  const off = switches.flatMap(([name, path]) => (booleanAt(configuration, path) === false ? [name] : []));
  return `${release}${off.length === 0 ? '' : `, without ${off.join(', ')}`}`;
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

async function adminApiOf(client: Client): Promise<string> {
  const {getAdminSupport} = await import('../../api/internal.js');
  try {
    const {value} = await client.call(getAdminSupport, {});
    const isSupported = booleanAt(value, ['supported']) !== false;
    return isSupported ? `${client.host} answers this admin` : `${client.host} does not support apps for admins`;
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'not_found') throw error;
    return `${client.host} has no admin API like Pixelfed's`;
  }
}

/** Whether the server answers this admin, and can list what it blocks: notes that were typed on the server's own page break that list. */
async function checkAdmin({inUse}: Connection, client: Client): Promise<Check> {
  const name = 'admin';
  const look = async () => {
    const about = await adminApiOf(client);
    const {healing, typedNotes} = await import('../../operations/typed-notes.js');
    const {blocks, typed} = await typedNotes(client);
    if (typed.length === 0) return `${about}; it lists its blocks (${countNoun(blocks, 'domain')})`;
    const domains = typed.map(({domain}) => domain).join(', ');
    const detail = `${client.host} cannot list its blocks, because notes were typed on its own admin page: ${domains}`;
    const fix = `turn the notes into comments: ${typed.map((one) => `\`${completeCommand(healing(one), inUse)}\``).join('; ')}`;
    return failing(name, detail, fix, new Failure('unavailable', detail, {hint: fix, reason: 'typed_note'}));
  };
  return checking(name, look, inUse);
}

const notPixelfed = 'check that this is the address of a Pixelfed server';

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
    return failing('token', detail, notPixelfed, new Failure('not_found', `token: ${detail}`, {hint: notPixelfed}));
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
  const {server, identity, inUse, session} = connection;
  const timeout = Math.min(patience, session.timeout ?? patience);
  // What there is to warn of is found by a check.
  await using client = connection.newClient({timeout, retries: 0, maxWait: 0, warn: () => {}});
  const release = await serverRelease(client).catch((error: unknown) => failedBy('server', error, inUse));
  const failure = 'ok' in release ? release.failure : undefined;
  if ('ok' in release && (failure?.code === 'unavailable' || failure?.details.status === undefined)) return [release];
  const token = await checking('token', () => checkToken(connection, client), inUse);
  if ('ok' in release) return [{...release, fix: notPixelfed}, token];
  const about = `${server.origin} answers (named by ${identity.source})`;
  const checks = [passing('server', about), passing('release', featuresOf(release)), checkClock(release, session.io.now()), token];
  if (!token.ok) return checks;
  const {scopes} = await aboutToken(connection);
  const isAdmin = scopes?.some((scope) => scope.startsWith('admin:read'));
  if (isAdmin === false) return checks;
  const admin = await checkAdmin(connection, client);
  // Without known scopes, only the server knows whether the token is an admin's.
  return isAdmin === true || admin.ok || admin.failure?.details.reason === 'typed_note' ? [...checks, admin] : checks;
}

async function examineConnection(session: Session): Promise<Check[]> {
  try {
    await using connection = await connect(session);
    return await examineServer(connection);
  } catch (error) {
    return [failedBy('server', error, session.inUse)];
  }
}

/** The checks, and the failure of the first that failed. */
export async function diagnose(session: Session): Promise<Result> {
  const ofMachine = [checkProfiles(session), checkKeyring(session), checkNetwork(session.io.env)];
  const checks = [checkRuntime(), ...(await Promise.all(ofMachine)), ...(await examineConnection(session))];
  const failed = checks.find(({ok}) => !ok);
  const report = {ok: failed === undefined, checks: checks.map(({name, ok, detail, fix}) => ({name, ok, detail, fix: fix ?? null}))};
  return {document: report, view: checksView, at: ['checks'], failure: failed?.failure};
}
