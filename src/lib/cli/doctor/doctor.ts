/** What `doctor` does: eight checks of the machine, the profiles and the server. One that fails does not prevent the others. */
import {access, constants} from 'node:fs/promises';
import {type AccountInUse, defaultAccount} from '../account-in-use.js';
import {connect, type Connection} from '../connection.js';
import {hintFor} from '../errors.js';
import {knownProfiles, openStore, storageIn} from '../known-profiles.js';
import type {Session} from '../session.js';
import {type Result} from '../sink.js';
import {claimsOf, definesProfiles, keyringProblem} from '../../auth/index.js';
import type {Client} from '../../client/client.js';
import {Failure} from '../../client/failure.js';
import {httpDate} from '../../client/retry.js';
import {configFolder} from '../../files/own-folder.js';
import {isSingleFile, runtime, type Environment} from '../../files/runtime.js';
import {booleanAt} from '../../json/path.js';
import {countNoun} from '../../json/text.js';
import {whoAmI} from '../../operations/accounts.js';
import {serverRelease, type ServerRelease} from '../../operations/server-release.js';

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly fix?: string;
  /** The failure behind it, which determines the exit status. */
  readonly failure?: Failure;
}

/**
 * Runs a check. Its text says what was found; its Failure says what is wrong, and how to fix it.
 * @param inUse the account that is checked, where there is one
 */
async function check(name: string, look: () => Promise<string> | string, inUse: AccountInUse = defaultAccount): Promise<Check> {
  try {
    return {name, ok: true, detail: await look()};
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return {name, ok: false, detail: error.message, fix: hintFor(error, inUse) ?? 'see `pixelctl --help`', failure: error};
  }
}

const unfit = (detail: string, hint: string): Failure => new Failure('local', detail, {hint});

/** This cannot fail, because the program does not start under a Node that is too old. */
const describeRuntime = (): string => `${runtime.name} ${runtime.version}${isSingleFile ? ', inside the program' : ''}`;

/** Tells which profiles there are, and makes their folder private. */
async function describeProfiles(session: Session): Promise<string> {
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
}

async function describeKeyring(env: Environment): Promise<string> {
  if (storageIn(env) === 'file') return 'not tried: with PIXELCTL_STORAGE=file, new tokens are stored in a file that only you can read';
  return (await keyringProblem()) === undefined ? 'works' : 'none: tokens are in a file that only you can read';
}

const networkVariable = /^(?:(?:https?|no)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE)$/i;

async function describeNetwork(env: Environment): Promise<string> {
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    const fix = 'unset it; to trust another certificate authority, set NODE_EXTRA_CA_CERTS';
    throw unfit('NODE_TLS_REJECT_UNAUTHORIZED=0 disables certificate checks', fix);
  }
  const authorities = env['NODE_EXTRA_CA_CERTS'] ?? '';
  if (authorities !== '') {
    await access(authorities, constants.R_OK).catch(() => {
      throw unfit(`NODE_EXTRA_CA_CERTS names ${authorities}, which cannot be read`, 'set it to a certificate file, or unset it');
    });
  }
  const set = Object.keys(env).filter((name) => networkVariable.test(name) && env[name]);
  return set.length === 0 ? 'no proxy, default certificates' : `${set.toSorted().join(', ')} ${set.length === 1 ? 'is' : 'are'} set`;
}

/** Seconds that the clocks may differ. Beyond that, tokens seem to expire too early or too late. */
const maxSkew = 60;

/** Milliseconds to wait for the server. */
const patience = 10_000;

function describeClock({date}: ServerRelease, now: Date): string {
  const theirs = httpDate(date);
  if (theirs === undefined) return 'the server does not send its time';
  const skew = Math.round((now.getTime() - theirs) / 1000);
  const detail = `${Math.abs(skew)} s ${skew < 0 ? 'behind' : 'ahead of'} the server`;
  if (Math.abs(skew) > maxSkew) throw unfit(detail, 'set the clock of this machine');
  return detail;
}

const describeRelease = ({version, configuration}: ServerRelease): string =>
  `${version ?? 'unknown release'}${configuration === undefined ? ', without conversations and published limits' : ''}`;

/** The scopes and expiry of a token, from its claims or from the sign-in. */
async function aboutToken({identity}: Connection) {
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
async function describeAdmin(client: Client): Promise<string> {
  const about = await adminApiOf(client);
  const {healing, typedNotes} = await import('../../operations/typed-notes.js');
  const {blocks, typed} = await typedNotes(client);
  if (typed.length === 0) return `${about}; it lists its blocks (${countNoun(blocks, 'domain')})`;
  const domains = typed.map(({domain}) => domain).join(', ');
  const hint = `turn the notes into comments: ${typed.map((one) => `\`${healing(one)}\``).join('; ')}`;
  const detail = `${client.host} cannot list its blocks, because notes were typed on its own admin page: ${domains}`;
  throw new Failure('unavailable', detail, {hint, reason: 'typed_note'});
}

const notPixelfed = 'check that this is the address of a Pixelfed server';

async function describeToken(connection: Connection, client: Client): Promise<string> {
  const {scopes: known, end} = await aboutToken(connection);
  const about = `${known ? `with the scopes ${known.join(' ')}` : 'with unknown scopes'}${end ? `, until ${end}` : ''}`;
  const from = `(from ${connection.identity.tokenSource})`;
  const account = await whoAmI(client).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.details.reason !== 'scope') throw error;
    throw new Failure(error.code, `accepted, but not allowed to read, ${about}`, error.details);
  });
  if (account !== undefined) return `of @${account.acct}, ${about} ${from}`;
  throw new Failure('not_found', `not checked: ${client.host} does not say whose token it is, ${about} ${from}`, {hint: notPixelfed});
}

async function examineServer(connection: Connection): Promise<Check[]> {
  const {server, identity, session} = connection;
  const {inUse} = session;
  const timeout = Math.min(patience, session.timeout ?? patience);
  // The checks report what the client would warn of.
  await using client = connection.newClient({timeout, retries: 0, maxWait: 0, warn: () => {}});
  const asked: {release?: ServerRelease} = {};
  const look = async () => {
    asked.release = await serverRelease(client);
    return `${server.origin} answers (named by ${identity.source})`;
  };
  const reached = await check('server', look, inUse);
  const {failure} = reached;
  if (failure !== undefined && (failure.code === 'unavailable' || failure.details.status === undefined)) return [reached];
  const token = await check('token', () => describeToken(connection, client), inUse);
  const {release} = asked;
  if (release === undefined) return [{...reached, fix: notPixelfed}, token];
  const clock = await check('clock', () => describeClock(release, session.io.now()));
  const checks = [reached, await check('release', () => describeRelease(release)), clock, token];
  if (!token.ok) return checks;
  const {scopes} = await aboutToken(connection);
  const isAdmin = scopes?.some((scope) => scope.startsWith('admin:read'));
  if (isAdmin === false) return checks;
  const admin = await check('admin', () => describeAdmin(client), inUse);
  // Without known scopes, only the server knows whether the token is an admin's.
  return isAdmin === true || admin.ok || admin.failure?.details.reason === 'typed_note' ? [...checks, admin] : checks;
}

async function examineConnection(session: Session): Promise<Check[]> {
  try {
    await using connection = await connect(session);
    return await examineServer(connection);
  } catch (error) {
    return [await check('server', () => Promise.reject(error), session.inUse)];
  }
}

/** The checks, and the failure of the first that failed. */
export async function diagnose(session: Session): Promise<Result> {
  const {env} = session.io;
  const ofMachine = [
    check('runtime', describeRuntime),
    check('profiles', () => describeProfiles(session)),
    check('keyring', () => describeKeyring(env)),
    check('proxy and TLS', () => describeNetwork(env)),
  ];
  const checks = [...(await Promise.all(ofMachine)), ...(await examineConnection(session))];
  const failed = checks.find(({ok}) => !ok);
  const report = {ok: failed === undefined, checks: checks.map(({name, ok, detail, fix}) => ({name, ok, detail, fix: fix ?? null}))};
  return {document: report, at: ['checks'], failure: failed?.failure};
}
