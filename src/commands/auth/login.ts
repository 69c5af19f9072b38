import {Flags} from '@oclif/core';
import {Failure} from '../../lib/client/failure.js';
import {canAsk} from '../../lib/command/asking/confirm.js';
import {askCode, askServer, askToken} from '../../lib/command/asking/sign-in-questions.js';
import {openStore, wireOptions} from '../../lib/command/connection.js';
import {printDocument} from '../../lib/command/print-document.js';
import {profileDocument} from '../../lib/command/profile-status.js';
import {PixelctlCommand, type Typed} from '../../lib/command/pixelctl-command.js';
import type {Session} from '../../lib/command/session.js';
import type {SignIn} from '../../lib/profile/sign-in.js';
import {parseServer} from '../../lib/profile/server.js';

const usualScopes = ['read', 'write', 'push'];

function scopesIn(flag: unknown): string[] {
  const given = Array.isArray(flag) ? flag.flatMap((text) => String(text).split(/[\s,]+/)).filter((scope) => scope !== '') : [];
  return given.length === 0 ? usualScopes : [...new Set(given)];
}

function portIn(flag: unknown): number | undefined {
  if (flag === undefined) return undefined;
  const port = Number(flag);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Failure('usage', '--callback-port takes a port from 1 to 65535');
}

async function serverFor(session: Session): Promise<URL> {
  const {server: flag, 'allow-http': allowHttp = false} = session.flags;
  const fromEnvironment = process.env['PIXELCTL_SERVER'] ?? '';
  if (flag !== undefined) return parseServer(flag, '--server', allowHttp);
  if (fromEnvironment !== '') return parseServer(fromEnvironment, 'PIXELCTL_SERVER', allowHttp);
  if (!canAsk()) throw new Failure('usage', 'No server is named', {hint: 'give --server https://pix.example'});
  return parseServer(await askServer(), 'What you typed', allowHttp);
}

export default class AuthLogin extends PixelctlCommand {
  static override summary = 'Sign in, and keep it as a profile';
  static override description = `Opens the browser, where the server asks you to approve. Where there is no browser (--no-browser, SSH), open the address that is shown anywhere, and paste what the browser shows in the end. With --with-token a token that you made yourself is read from standard input, or asked for without showing it.

The token is tried on the server before it is kept: in the system's keyring, else in a file that only you can read. The new profile is the active one.`;
  static override usage = '<%= command.id %> [--server URL] [--profile NAME] [--flags]';
  static override flags = {
    'with-token': Flags.boolean({description: 'take a token that you have, from standard input'}),
    scope: Flags.string({
      description: `what the token may do, ${usualScopes.join(' ')} by default; known: read, write, follow, push`,
      helpValue: 'SCOPE',
      multiple: true,
      multipleNonGreedy: true,
    }),
    'no-browser': Flags.boolean({description: 'do not open a browser; paste the code that it shows elsewhere'}),
    'callback-port': Flags.string({description: 'port of this machine that the browser comes back to; a free one by default', helpValue: 'N'}),
    'insecure-storage': Flags.boolean({description: 'keep the token in a file instead of the keyring (environment: PIXELCTL_STORAGE=file)'}),
    protected: Flags.boolean({description: 'ask before every write with this profile'}),
  };
  static knownValues = {scope: ['read', 'write', 'follow', 'push']};
  static override examples = [
    {description: 'In the browser', command: '<%= config.bin %> auth login --server pix.example'},
    {description: 'With a token, from a file', command: '<%= config.bin %> auth login --server pix.example --with-token < token.txt'},
    {description: 'A second account that must not act by mistake', command: '<%= config.bin %> auth login --server pix.example --profile admin --protected'},
  ];

  protected override async execute({flags}: Typed, session: Session): Promise<void> {
    const scopes = scopesIn(flags['scope']);
    const port = portIn(flags['callback-port']);
    const server = await serverFor(session);
    const signedIn = await (flags['with-token'] === true
      ? this.#withToken(server, session)
      : this.#inBrowser(server, {scopes, port, isElsewhere: flags['no-browser'] === true}, session));
    await this.#keep(signedIn, flags, session);
  }

  async #withToken(server: URL, session: Session): Promise<SignIn> {
    const [{signInWithToken}, {checkedToken}] = await Promise.all([
      import('../../lib/profile/sign-in.js'),
      import('../../lib/profile/environment-token.js'),
    ]);
    const token = checkedToken(await askToken(server), 'The input');
    if (token === undefined) throw new Failure('usage', 'No token was given', {hint: 'as in `pixelctl auth login --with-token < token.txt`'});
    return signInWithToken(server, token, wireOptions(session));
  }

  async #inBrowser(
    server: URL,
    {scopes, port, isElsewhere}: {scopes: readonly string[]; port: number | undefined; isElsewhere: boolean},
    session: Session,
  ): Promise<SignIn> {
    const [{signInWithBrowser}, {whyNoBrowser}] = await Promise.all([
      import('../../lib/profile/sign-in.js'),
      import('../../lib/profile/browser.js'),
    ]);
    const why = isElsewhere ? 'it was asked not to' : whyNoBrowser();
    return signInWithBrowser(server, {
      ...wireOptions(session),
      scopes,
      port,
      paste: why === undefined ? undefined : askCode,
      tell(url, problem) {
        const lead = problem === undefined ? 'Approve in your browser; if it did not open:' : `No browser is opened (${why ?? problem}). Open this:`;
        session.tell(`${lead}\n  ${url}`);
      },
    });
  }

  async #keep({profile, secret, note}: SignIn, flags: Typed['flags'], session: Session): Promise<void> {
    const wantsFile = flags['insecure-storage'] === true || process.env['PIXELCTL_STORAGE'] === 'file';
    const store = await openStore(wantsFile ? 'file' : undefined);
    const {defaultName} = await import('../../lib/profile/profile.js');
    const {profiles} = await store.list().catch((error: unknown) => {
      // A corrupt list is put aside when the new profile is saved, and said then.
      if (error instanceof Failure && error.code === 'local') return {profiles: []};
      throw error;
    });
    const name = session.flags.profile ?? defaultName(profile.server, profile.account, profiles);
    const before = profiles.find((known) => known.name === name);
    const isProtected = flags['protected'] === true || before?.isProtected === true;
    const saved = await store.save({...profile, name, isProtected}, secret);
    if (session.format !== 'table') {
      const document = profileDocument(saved.profile, {isActive: true, source: 'default', ok: true, version: null});
      return printDocument({profiles: [document]}, {view: 'profiles', rows: ['profiles']}, session);
    }
    const whose = profile.account === null ? '' : ` as @${profile.account.acct}`;
    session.note(`Signed in to ${new URL(profile.server).host}${whose}. The profile ${name} is active now.`);
    for (const words of [note, saved.note]) if (words !== undefined) session.note(`${words}.`);
  }
}
