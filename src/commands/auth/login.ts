import {Args, Flags} from '@oclif/core';
import {Failure} from '../../lib/client/failure.js';
import {askCode, askCodeAgain, askServer, askToken, checkTogether, scopesIn, storageIn, usualScopes} from '../../lib/cli/sign-in.js';
import {openStore, warnOfPlainHttp, wireOptions} from '../../lib/cli/connection.js';
import {numberFlag} from '../../lib/cli/flags.js';
import {noteEnvironment, profileDocument, profilesView} from '../../lib/cli/profiles.js';
import {printDocument} from '../../lib/cli/printing.js';
import {PixelctlCommand} from '../../lib/cli/command.js';
import type {Session} from '../../lib/cli/session.js';
import type {Profile, ServerClient} from '../../lib/auth/profile.js';
import type {ProfileStore} from '../../lib/auth/profile-store.js';
import {parseServer} from '../../lib/auth/server.js';
import type {SignIn} from '../../lib/auth/sign-in.js';

/** The profiles before the sign-in; whatever would keep the new one from being saved is found out now. */
async function profilesIn(store: ProfileStore): Promise<readonly Profile[]> {
  await store.prepare();
  try {
    return (await store.list()).profiles;
  } catch (error) {
    // A corrupt list is put aside when the new profile is saved, and said then.
    if (error instanceof Failure && error.code === 'local') return [];
    throw error;
  }
}

function placeTaken(before: Profile | undefined, {server, account}: SignIn['profile']): string | undefined {
  if (before === undefined || (before.server === server && before.account?.id === account?.id)) return undefined;
  const whose = before.account === null ? '' : `@${before.account.acct} on `;
  return `It takes the place of ${whose}${new URL(before.server).host}`;
}

/** A profile that is named brings its server, as when somebody signs in to it again. */
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
  if (!io.canAsk) throw new Failure('usage', 'No server given', {hint: 'name it, as in `pixelctl auth login pix.example`'});
  return parseServer(await askServer(io), 'What you typed', allowHttp);
}

export default class AuthLogin extends PixelctlCommand {
  static override summary = 'Sign in, and keep it as a profile';
  static override description = `Opens the browser, where the server asks you to approve. Where there is no browser (--no-browser, SSH), open the address that is shown anywhere, and paste what the browser shows in the end; with --port the browser can also come back through a tunnel (ssh -L). With --with-token a token that you made yourself is read from standard input, or asked for without showing it.

The token is tried on the server before it is kept: in the system's keyring, else in a file that only you can read. The new profile is the active one. With the name of one that there is, it takes its place.`;
  static override usage = '<%= command.id %> [SERVER] [--profile NAME] [--flags]';
  static override args = {SERVER: Args.string({description: 'address of the server, instead of --server', ignoreStdin: true})};
  static override flags = {
    'with-token': Flags.boolean({description: 'take a token that you have, from standard input'}),
    scope: Flags.string({
      description: `what the token may do, ${usualScopes.join(' ')} by default; known: read, write, follow, push`,
      helpValue: 'SCOPE',
      multiple: true,
      multipleNonGreedy: true,
    }),
    'no-browser': Flags.boolean({description: 'do not open a browser; paste the code that it shows elsewhere'}),
    port: numberFlag(
      {
        description: 'port of this machine that the browser comes back to; 29170 to 29172 or a free one by default',
        helpValue: 'N',
        aliases: ['callback-port'],
      },
      {least: 1, most: 65_535, whole: true},
    ),
    'insecure-storage': Flags.boolean({
      description: 'keep the token in a file instead of the keyring (environment: PIXELCTL_STORAGE=file)',
    }),
    protected: Flags.boolean({description: 'ask before every write with this profile'}),
  };
  static knownValues = {scope: ['read', 'write', 'follow', 'push']};
  static override examples = [
    {description: 'In the browser', command: '<%= config.bin %> auth login pix.example'},
    {description: 'With a token, from a file', command: '<%= config.bin %> auth login pix.example --with-token < token.txt'},
    {
      description: 'A second account that must not act by mistake',
      command: '<%= config.bin %> auth login pix.example --profile admin --protected',
    },
  ];

  override async run(): Promise<void> {
    const {args, flags, session} = await this.start(AuthLogin);
    checkTogether(flags);
    const scopes = scopesIn(flags.scope);
    const {port} = flags;
    const {checkName} = await import('../../lib/auth/profile-store.js');
    const {profile: name} = session.flags;
    if (name !== undefined) checkName(name);
    const store = await openStore(session, storageIn(flags, session.io.env));
    const profiles = await profilesIn(store);
    const server = await serverFor(
      args.SERVER,
      profiles.find((known) => known.name === name),
      session,
    );
    warnOfPlainHttp(server, session);
    // What is suggested after a failure names the server, however it was named here.
    const there = session.with({server: server.origin});
    const signedIn = await (flags['with-token']
      ? this.#withToken(server, there)
      : this.#inBrowser(server, {scopes, port, isElsewhere: flags['no-browser'], known: await store.client(server.origin)}, there));
    await this.#keep(signedIn, {store, profiles, isProtected: flags.protected}, session);
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
    {
      scopes,
      port,
      isElsewhere,
      known,
    }: {scopes: readonly string[]; port: number | undefined; isElsewhere: boolean; known: ServerClient | undefined},
    session: Session,
  ): Promise<SignIn> {
    const [{signInWithBrowser}, {whyNoBrowser}] = await Promise.all([
      import('../../lib/auth/sign-in.js'),
      import('../../lib/auth/browser.js'),
    ]);
    const why = isElsewhere ? 'as was asked for' : whyNoBrowser(session.io.env);
    // Who names a port means a way back to it, if not from here.
    const isPasted = isElsewhere || (why !== undefined && port === undefined);
    return signInWithBrowser(server, {
      ...wireOptions(session),
      scopes,
      port,
      known,
      paste: isPasted ? () => askCode(session.io) : undefined,
      pasteAgain: session.io.canAsk ? (problem) => askCodeAgain(problem, session) : undefined,
      showUrl(url, problem) {
        const reason = why ?? problem;
        const lead = reason === undefined ? 'Approve in your browser; if it did not open:' : `No browser is opened (${reason}). Open this:`;
        session.tell(lead);
        session.tell(`  ${url}`);
      },
      onStray(error) {
        const what = /^\w{1,40}$/.test(error) ? `the error ${error}` : 'an error';
        session.tell(`The browser came back with ${what}, but nothing shows that it is about this sign-in. Still waiting; Ctrl-C ends it.`);
      },
    });
  }

  async #keep(
    {profile, secret, client, note}: SignIn,
    {store, profiles, isProtected}: {store: ProfileStore; profiles: readonly Profile[]; isProtected: boolean},
    session: Session,
  ): Promise<void> {
    const {defaultName} = await import('../../lib/auth/profile.js');
    const name = session.flags.profile ?? defaultName(profile.server, profile.account, profiles);
    const before = profiles.find((known) => known.name === name);
    const saved = await store.save({...profile, name, isProtected: isProtected || before?.isProtected === true}, secret, client);
    if (session.format !== 'table') {
      const {claimsOf} = await import('../../lib/auth/token.js');
      const document = profileDocument({
        profile: saved.profile,
        source: 'default',
        problem: undefined,
        claims: claimsOf(secret.accessToken),
      });
      return printDocument({profiles: [document]}, {view: profilesView, rows: ['profiles']}, session);
    }
    const whose = profile.account === null ? '' : ` as @${profile.account.acct}`;
    session.note(`Signed in to ${new URL(profile.server).host}${whose}. The profile ${name} is active now.`);
    for (const words of [placeTaken(before, profile), note, saved.note]) if (words !== undefined) session.note(`${words}.`);
    noteEnvironment(session);
  }
}
