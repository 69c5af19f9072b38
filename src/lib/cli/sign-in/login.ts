/** What `auth login` does: signs in, with the browser or a token, and saves a profile. */
import {Flags} from '@oclif/core';
import {commandText, type FlagValues} from '../../files/command-text.js';
import {hintFor} from '../errors.js';
import {warnOfPlainHttp, wireOptions} from '../connection.js';
import {numberFlag, repeatable, type FlagsOf} from '../flags.js';
import type {Io} from '../io.js';
import {openSavedProfiles, storageIn} from '../known-profiles.js';
import {environmentNotes, profileDocument, profilesView} from '../profiles.js';
import {prompt} from '../prompts.js';
import type {Result} from '../sink.js';
import type {Session} from '../session.js';
import {adminScopes, defaultScopes, parseServer, type Profile, type ProfileStore, type SignIn} from '../../auth/index.js';
import {Failure} from '../../client/failure.js';
import type {Software} from '../../operations/server-release.js';

export const loginFlags = {
  'with-token': Flags.boolean({description: 'read a token from standard input'}),
  scope: repeatable(`scopes of the token: read, write, follow, push (default: ${defaultScopes.join(' ')})`, 'SCOPE'),
  'no-browser': Flags.boolean({description: 'print the address instead of opening a browser, and prompt for the code'}),
  port: numberFlag(
    {
      description: 'local port for the redirect from the browser (default: any free port)',
      helpValue: 'N',
      aliases: ['callback-port'],
    },
    {least: 1, most: 65_535, whole: true},
  ),
  'insecure-storage': Flags.boolean({
    description: 'store the token in a file instead of the keyring (environment: PIXELCTL_STORAGE=file)',
  }),
  protected: Flags.boolean({description: 'ask for confirmation before every write with this profile'}),
  admin: Flags.boolean({description: 'sign in to moderate the server: a profile of its own, ACCOUNT+admin, with the scopes of admins'}),
};

type LoginFlags = FlagsOf<typeof loginFlags>;

/** A secret: typed at a prompt that hides it, or all of standard input. */
async function askSecret(message: string, io: Io): Promise<string> {
  if (io.canAsk) return String(await prompt(io, {type: 'password', message, mask: '*'}));
  if (!io.isInputTerminal) return io.readStandardInput();
  throw new Failure('usage', 'Cannot hide what you type while standard error is redirected', {
    hint: 'pipe the secret to standard input, or do not redirect standard error',
  });
}

async function askToken(server: URL, io: Io): Promise<string> {
  const token = await askSecret(`Access token (from ${server.origin}/settings/applications):`, io);
  if (token.trim() !== '') return token;
  throw new Failure('usage', 'No token given', {hint: 'for example: `pixelctl auth login < token.txt`'});
}

/** Prompts for what the browser shows after the approval, until something is pasted. */
async function askCode(io: Io): Promise<string> {
  for (;;) {
    const code = await askSecret('Paste what the browser shows:', io);
    if (code.trim() !== '') return code;
    if (!io.canAsk) throw new Failure('usage', 'Nothing was pasted', {hint: 'sign in again, and copy all the text that the browser shows'});
  }
}

async function askCodeAgain({message}: Failure, session: Pick<Session, 'io' | 'say'>): Promise<string> {
  session.say(`${message}. Copy all the text that the browser shows, or the whole address of the last page; press Ctrl-C to cancel.`);
  return askCode(session.io);
}

function scopesIn(given: readonly string[] = []): readonly string[] {
  const scopes = given.flatMap((text) => text.split(/[\s,]+/)).filter((scope) => scope !== '');
  return scopes.length === 0 ? defaultScopes : [...new Set(scopes)];
}

/** @throws Failure `usage` for flags of the browser together with a token */
function checkTogether({'with-token': withToken, scope, 'no-browser': noBrowser, port}: LoginFlags): void {
  if (!withToken) return;
  const ofBrowser = scope !== undefined ? 'scope' : noBrowser ? 'no-browser' : port === undefined ? undefined : 'port';
  if (ofBrowser !== undefined) throw new Failure('usage', `--with-token and --${ofBrowser} cannot be used together`);
}

function replacedProfile(before: Profile | undefined, {server, account}: SignIn['profile']): string | undefined {
  if (before === undefined || (before.server === server && before.account?.id === account?.id)) return undefined;
  const whose = before.account === null ? '' : `@${before.account.acct} on `;
  return `It replaces ${whose}${new URL(before.server).host}`;
}

/** The server in what people paste in place of its address: the name of an account, or the address of a profile. */
function parsePastedServer(text: string): string {
  const [, host] = /^@?[^@\s/:]+@([^@\s/]+)$/.exec(text.trim()) ?? [];
  return host ?? text.trim().replace(/^((?:https?:\/\/)?[^@/\s]+)\/(?:users\/[^/]+|@[^/]+)\/?$/i, '$1');
}

/** The server to sign in to. `--profile` with a saved profile means the server of that profile. */
async function serverFor(
  argument: string | undefined,
  {before, login}: {readonly before: Profile | undefined; readonly login: LoginFlags},
  session: Session,
): Promise<URL> {
  const {flags, io} = session;
  const {server: flag, 'allow-http': allowHttp = false} = flags;
  if (argument !== undefined) {
    const server = parseServer(parsePastedServer(argument), 'SERVER', allowHttp);
    if (flag === undefined || parseServer(flag, '--server', allowHttp).origin === server.origin) return server;
    throw new Failure('usage', 'SERVER and --server name different servers');
  }
  if (flag !== undefined) return parseServer(flag, '--server', allowHttp);
  if (before !== undefined) return parseServer(before.server, `Profile ${before.name}`, allowHttp);
  const fromEnvironment = io.env['PIXELCTL_SERVER'] ?? '';
  if (fromEnvironment !== '') return parseServer(fromEnvironment, 'PIXELCTL_SERVER', allowHttp);
  if (!io.canAsk) {
    const example = commandText('auth login', {args: ['pix.example'], flags: {profile: session.flags.profile, ...flagsToKeep(login)}});
    throw new Failure('usage', 'No server given', {hint: `for example: \`${example}\``});
  }
  return parseServer(parsePastedServer(String(await prompt(io, {type: 'input', message: 'Server:'}))), 'The server', allowHttp);
}

/** The software of the server, which decides about the scopes of admins. */
async function softwareOf(server: URL, session: Session): Promise<Software> {
  const [{openClient}, {serverSoftware}] = await Promise.all([
    import('../../client/client.js'),
    import('../../operations/server-release.js'),
  ]);
  await using client = openClient({...wireOptions(session), server});
  return await serverSoftware(client);
}

/** The flags to give again; those of the browser may contradict the suggestion. */
function flagsToKeep({'with-token': withToken, admin, protected: isProtected, 'insecure-storage': inFile}: LoginFlags): FlagValues {
  const given = {'with-token': withToken, admin, protected: isProtected, 'insecure-storage': inFile};
  return Object.fromEntries(Object.entries(given).filter(([, isGiven]) => isGiven));
}

/**
 * Makes suggested sign-ins have the flags of this one, and adds to a failure of the server that nothing was saved. Failures on this
 * machine come before the sign-in, where that is clear.
 */
function failSignIn(error: unknown, flags: LoginFlags, {inUse}: Session): never {
  if (!(error instanceof Failure)) throw error;
  const hint = hintFor(error, {...inUse, signIn: flagsToKeep(flags)});
  const isHere = ['internal', 'interrupted', 'local', 'terminated', 'usage'].includes(error.code);
  throw error.saying(isHere ? '' : '; nothing was saved', {hint});
}

/** @param address of the server @throws Failure `usage` for flags that contradict each other; that of a sign-in, after which nothing is saved */
export async function logIn(address: string | undefined, flags: LoginFlags, session: Session): Promise<Result> {
  checkTogether(flags);
  const {port} = flags;
  const {checkName} = await import('../../auth/profile-store.js');
  const {profile: name} = session.flags;
  if (name !== undefined) checkName(name);
  const store = await openSavedProfiles(session, flags['insecure-storage'] ? 'file' : storageIn(session.io.env));
  const profiles = await store.prepare();
  const before = profiles.find((known) => known.name === name);
  // Signing in again to the profile of an admin does not make it an ordinary one.
  const isAdmin = flags.admin || before?.isAdmin === true;
  if (before?.isAdmin === false && isAdmin)
    throw new Failure('usage', `Profile ${before.name} is an ordinary profile: --admin does not replace it`, {
      hint: 'name another profile, or leave out --profile',
    });
  const server = await serverFor(address, {before, login: flags}, session);
  warnOfPlainHttp(server, session);
  // Suggested commands name this server, wherever it comes from.
  const there = session.with({server: server.origin});
  const signIn = async (): Promise<SignIn> => {
    const software = isAdmin ? await softwareOf(server, there) : undefined;
    const own = scopesIn(flags.scope);
    // Scopes of admins are added to the usual ones, unless others are chosen.
    const usual = software !== undefined && own.every((scope) => scope.startsWith('admin:')) ? defaultScopes : [];
    const scopes = [...new Set([...usual, ...own, ...(software === undefined ? [] : adminScopes[software])])];
    const signedIn = await (flags['with-token']
      ? withToken(server, there)
      : inBrowser(server, {scopes, port, isElsewhere: flags['no-browser']}, there));
    if (software === undefined) return signedIn;
    const {requireAdminToken} = await import('../../auth/sign-in.js');
    await requireAdminToken(signedIn, software, wireOptions(there));
    return signedIn;
  };
  const signedIn = await signIn().catch((error: unknown) => failSignIn(error, flags, there));
  return keep(signedIn, {store, profiles, isAdmin, isProtected: flags.protected}, session);
}

async function withToken(server: URL, session: Session): Promise<SignIn> {
  const [{signInWithToken}, {checkedToken}] = await Promise.all([import('../../auth/sign-in.js'), import('../../auth/environment.js')]);
  const token = checkedToken(await askToken(server, session.io), 'The input') ?? '';
  return signInWithToken(server, token, wireOptions(session));
}

async function inBrowser(
  server: URL,
  {scopes, port, isElsewhere}: {scopes: readonly string[]; port: number | undefined; isElsewhere: boolean},
  session: Session,
): Promise<SignIn> {
  const [{signInWithBrowser}, {whyNoBrowser}] = await Promise.all([import('../../auth/sign-in.js'), import('../../auth/browser.js')]);
  const why = isElsewhere ? '--no-browser' : whyNoBrowser(session.io.env);
  // With --port the redirect can come through a tunnel.
  const isPasted = isElsewhere || (why !== undefined && port === undefined);
  return signInWithBrowser(server, {
    ...wireOptions(session),
    environment: session.io.env,
    scopes,
    port,
    paste: isPasted ? () => askCode(session.io) : undefined,
    pasteAgain: session.io.canAsk ? (problem) => askCodeAgain(problem, session) : undefined,
    showUrl(url, problem) {
      const reason = why ?? problem;
      const lead =
        reason === undefined
          ? 'Approve the sign-in in your browser. If it did not open, go to:'
          : `Open this address in a browser (${reason}):`;
      session.say(lead);
      session.tell(`  ${url}`);
    },
    onStray(error) {
      const what = /^\w{1,40}$/.test(error) ? `the error ${error}` : 'an error';
      session.say(`Received ${what} that may not belong to this sign-in. Still waiting; press Ctrl-C to cancel.`);
    },
  });
}

async function keep(
  {profile, secret, note}: SignIn,
  {store, profiles, isAdmin, isProtected}: {store: ProfileStore; profiles: readonly Profile[]; isAdmin: boolean; isProtected: boolean},
  session: Session,
): Promise<Result> {
  const {defaultName} = await import('../../auth/profile.js');
  const name = session.flags.profile ?? defaultName({...profile, isAdmin}, profiles);
  const before = profiles.find((known) => known.name === name);
  const saved = await store.save({...profile, name, isAdmin, isProtected: isProtected || (before?.isProtected ?? isAdmin)}, secret);
  const [{claimsOf}, {active}] = await Promise.all([import('../../auth/token.js'), store.list()]);
  const own = profileDocument({
    profile: saved.profile,
    source: active === name ? 'default' : null,
    problem: undefined,
    claims: claimsOf(secret.accessToken),
  });
  const whose = profile.account === null ? '' : ` as @${profile.account.acct}`;
  const which = isAdmin ? `, to moderate the server. Profile: ${name}; select it with --profile` : `. Active profile: ${name}`;
  const others = [replacedProfile(before, profile), note, saved.note].flatMap((words) => (words === undefined ? [] : `${words}.`));
  return {
    document: {profiles: [own]},
    at: ['profiles'],
    text: [],
    view: profilesView,
    notes: [`Signed in to ${new URL(profile.server).host}${whose}${which}.`, ...others, ...environmentNotes(session.io)],
  };
}
