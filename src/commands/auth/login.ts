import {Args, Flags} from '@oclif/core';
import {Failure} from '../../lib/client/failure.js';
import {askCode, askCodeAgain, askServer, askToken, checkTogether, scopesIn, storageIn} from '../../lib/cli/sign-in.js';
import {openSavedProfiles, warnOfPlainHttp, wireOptions} from '../../lib/cli/connection.js';
import {numberFlag, repeatable} from '../../lib/cli/flags.js';
import {noteEnvironment, profileDocument, profilesView} from '../../lib/cli/profiles.js';
import {printResult} from '../../lib/cli/printing.js';
import {PixelctlCommand} from '../../lib/cli/command.js';
import type {Session} from '../../lib/cli/session.js';
import type {Profile} from '../../lib/auth/profile.js';
import type {ProfileStore} from '../../lib/auth/profile-store.js';
import {adminScopes, defaultScopes} from '../../lib/auth/scopes.js';
import {parseServer} from '../../lib/auth/server.js';
import type {Software} from '../../lib/operations/server-release.js';
import type {SignIn} from '../../lib/auth/sign-in.js';

/** The profiles before the sign-in. Fails now if the new one could not be saved. */
async function profilesIn(store: ProfileStore): Promise<readonly Profile[]> {
  await store.prepare();
  try {
    return (await store.list()).profiles;
  } catch (error) {
    // A corrupt list is renamed when the new profile is saved.
    if (error instanceof Failure && error.code === 'local') return [];
    throw error;
  }
}

function replacedProfile(before: Profile | undefined, {server, account}: SignIn['profile']): string | undefined {
  if (before === undefined || (before.server === server && before.account?.id === account?.id)) return undefined;
  const whose = before.account === null ? '' : `@${before.account.acct} on `;
  return `It replaces ${whose}${new URL(before.server).host}`;
}

/** The server to sign in to. `--profile` with a saved profile means the server of that one. */
async function serverFor(argument: string | undefined, before: Profile | undefined, {flags, io}: Session): Promise<URL> {
  const {server: flag, 'allow-http': allowHttp = false} = flags;
  if (argument !== undefined) {
    const server = parseServer(argument, 'SERVER', allowHttp);
    if (flag === undefined || parseServer(flag, '--server', allowHttp).origin === server.origin) return server;
    throw new Failure('usage', 'SERVER and --server name different servers');
  }
  if (flag !== undefined) return parseServer(flag, '--server', allowHttp);
  if (before !== undefined) return parseServer(before.server, `Profile ${before.name}`, allowHttp);
  const fromEnvironment = io.env['PIXELCTL_SERVER'] ?? '';
  if (fromEnvironment !== '') return parseServer(fromEnvironment, 'PIXELCTL_SERVER', allowHttp);
  if (!io.canAsk) throw new Failure('usage', 'No server given', {hint: 'for example: `pixelctl auth login pix.example`'});
  return parseServer(await askServer(io), 'The server', allowHttp);
}

function wouldReplaceOrdinary({name}: Profile): Failure {
  return new Failure('usage', `Profile ${name} is an ordinary one, which --admin does not replace`, {
    hint: 'name another profile, or leave out --profile',
  });
}

/** What the server runs: the scopes of admins differ. */
async function softwareOf(server: URL, session: Session): Promise<Software> {
  const [{createClient}, {serverSoftware}] = await Promise.all([
    import('../../lib/client/client.js'),
    import('../../lib/operations/server-release.js'),
  ]);
  await using client = createClient({...wireOptions(session), server});
  return await serverSoftware(client);
}

/** Says of what failed on the server that it left nothing behind. What is wrong here is found before anything begins. */
function withNothingSaved(error: unknown): never {
  if (!(error instanceof Failure) || ['internal', 'interrupted', 'local', 'terminated', 'usage'].includes(error.code)) throw error;
  throw error.saying('; nothing was saved');
}

export default class AuthLogin extends PixelctlCommand {
  static override summary = 'Sign in and save a profile';
  static override description = `Opens the browser, where the server asks you to approve. Without a browser on this machine (SSH, --no-browser), open the printed address on any machine, and paste what the browser shows at the end. Over SSH with a tunnel (ssh -L), --port receives the redirect. --with-token reads a token that you created yourself from standard input, or prompts for it.

The token is checked with the server, then stored in the system's keyring, or in a file that only you can read. The new profile becomes the active one. It replaces a profile with the same name.

--admin signs in to moderate the server. The token gets the scopes of admins as well, and is checked before it is stored. Its profile is called ACCOUNT+admin unless --profile names it: it does not become the active one, replaces no ordinary profile, and every write with it needs confirmation.`;
  static override usage = '<%= command.id %> [SERVER] [--profile NAME] [flags]';
  static override args = {SERVER: Args.string({description: 'server address; same as --server', ignoreStdin: true})};
  static override flags = {
    'with-token': Flags.boolean({description: 'read a token from standard input'}),
    scope: repeatable(`scopes of the token: read, write, follow, push (default: ${defaultScopes.join(' ')})`, 'SCOPE'),
    'no-browser': Flags.boolean({description: 'print the address instead of opening a browser, and prompt for the code'}),
    port: numberFlag(
      {
        description: 'local port for the redirect from the browser (default: 29170 to 29172, or any free port)',
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
  static knownValues = {scope: ['read', 'write', 'follow', 'push']};
  static override examples = [
    {description: 'Sign in with the browser', command: '<%= config.bin %> auth login pix.example'},
    {description: 'Sign in with a token from a file', command: '<%= config.bin %> auth login pix.example --with-token < token.txt'},
    {
      description: 'Add a second account whose writes need confirmation',
      command: '<%= config.bin %> auth login pix.example --profile work --protected',
    },
    {description: 'Sign in as an admin, to moderate the server', command: '<%= config.bin %> auth login pix.example --admin'},
  ];

  override async run(): Promise<void> {
    const {args, flags, session} = await this.start(AuthLogin);
    checkTogether(flags);
    const {port} = flags;
    const {checkName} = await import('../../lib/auth/profile-store.js');
    const {profile: name} = session.flags;
    if (name !== undefined) checkName(name);
    const store = await openSavedProfiles(session, storageIn(flags, session.io.env));
    const profiles = await profilesIn(store);
    const before = profiles.find((known) => known.name === name);
    // Signing in again to the profile of an admin does not make it an ordinary one.
    const isAdmin = flags.admin || before?.isAdmin === true;
    if (before?.isAdmin === false && isAdmin) throw wouldReplaceOrdinary(before);
    const server = await serverFor(args.SERVER, before, session);
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
        ? this.#withToken(server, there)
        : this.#inBrowser(server, {scopes, port, isElsewhere: flags['no-browser'], store}, there));
      if (software === undefined) return signedIn;
      const {requireAdminToken} = await import('../../lib/auth/admin-token.js');
      await requireAdminToken(signedIn, software, wireOptions(there));
      return signedIn;
    };
    const signedIn = await signIn().catch(withNothingSaved);
    await this.#keep(signedIn, {store, profiles, isAdmin, isProtected: flags.protected}, session);
  }

  async #withToken(server: URL, session: Session): Promise<SignIn> {
    const [{signInWithToken}, {checkedToken}] = await Promise.all([
      import('../../lib/auth/sign-in.js'),
      import('../../lib/auth/environment-token.js'),
    ]);
    const token = checkedToken(await askToken(server, session.io), 'The input') ?? '';
    return signInWithToken(server, token, wireOptions(session));
  }

  async #inBrowser(
    server: URL,
    {scopes, port, isElsewhere, store}: {scopes: readonly string[]; port: number | undefined; isElsewhere: boolean; store: ProfileStore},
    session: Session,
  ): Promise<SignIn> {
    const [{signInWithBrowser}, {whyNoBrowser}] = await Promise.all([
      import('../../lib/auth/sign-in.js'),
      import('../../lib/auth/browser.js'),
    ]);
    const why = isElsewhere ? '--no-browser' : whyNoBrowser(session.io.env);
    // With --port the redirect can come through a tunnel.
    const isPasted = isElsewhere || (why !== undefined && port === undefined);
    return signInWithBrowser(server, {
      ...wireOptions(session),
      environment: session.io.env,
      scopes,
      port,
      known: await store.client(server.origin),
      async keepClient(client) {
        const {note} = await store.keepClient(server.origin, client);
        if (note !== undefined) session.note(`${note}.`);
      },
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

  async #keep(
    {profile, secret, note}: SignIn,
    {store, profiles, isAdmin, isProtected}: {store: ProfileStore; profiles: readonly Profile[]; isAdmin: boolean; isProtected: boolean},
    session: Session,
  ): Promise<void> {
    const {defaultName} = await import('../../lib/auth/profile.js');
    const name = session.flags.profile ?? defaultName({...profile, isAdmin}, profiles);
    const before = profiles.find((known) => known.name === name);
    const saved = await store.save({...profile, name, isAdmin, isProtected: isProtected || (before?.isProtected ?? isAdmin)}, secret);
    const [{claimsOf}, {active}] = await Promise.all([import('../../lib/auth/token.js'), store.list()]);
    const own = profileDocument({
      profile: saved.profile,
      source: active === name ? 'default' : null,
      problem: undefined,
      claims: claimsOf(secret.accessToken),
    });
    await printResult({document: JSON.stringify({profiles: [own]}), at: ['profiles'], text: [], view: profilesView}, session);
    const whose = profile.account === null ? '' : ` as @${profile.account.acct}`;
    const which = isAdmin ? `, to moderate the server. Profile: ${name}; select it with --profile` : `. Active profile: ${name}`;
    session.note(`Signed in to ${new URL(profile.server).host}${whose}${which}.`);
    for (const words of [replacedProfile(before, profile), note, saved.note]) if (words !== undefined) session.note(`${words}.`);
    noteEnvironment(session);
  }
}
