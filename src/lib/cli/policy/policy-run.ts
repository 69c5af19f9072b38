/** A run of a command about policies: it reads them, and finds the accounts and states that they are for. */
import type {AccountInUse} from '../account-in-use.js';
import {type Accounts, type Member, openAccounts} from '../account-driver.js';
import type {Opened} from '../command.js';
import {connect, type Connection} from '../connection.js';
import {knownProfiles} from '../known-profiles.js';
import {commentsFor, onlyIn, type PolicyFlags, refuseUseless, sameFlags} from './policy-flags.js';
import {listAccess} from './list-access.js';
import {accountOfProfile, type AdminAccess} from '../../auth/index.js';
import type {Session} from '../session.js';
import type {Printing} from '../sink.js';
import {Failure} from '../../client/failure.js';
import {handleOf} from '../../operations/handle.js';
import {
  aboutOf,
  adviceOf,
  isPolicy,
  type KnownAccount,
  type List,
  notesOf,
  listNames,
  type PolicyWithLists,
  type PrivateComments,
  readerOf,
  readGivenList,
  readEach,
  readPolicy,
  refuseLargeFetched,
  refuseOthers,
  sectionsMeant,
  type Target,
} from '../../policy/index.js';

interface ReadingOptions {
  /** The text of the policy, if it was read already. */
  readonly text?: string | undefined;
  /** Which private comments to read: by default those that are sent, or all with --show-private. */
  readonly comments?: PrivateComments;
}

export class PolicyRun<Flags extends PolicyFlags = PolicyFlags> {
  /** @param opened what is closed once the result is printed */
  constructor(
    readonly flags: Flags,
    readonly session: Session,
    readonly opened: Opened,
    readonly printing: Printing,
  ) {}

  /** The same run with other flags. */
  with(flags: Partial<Flags>): PolicyRun<Flags> {
    return new PolicyRun({...this.flags, ...flags}, this.session, this.opened, this.printing);
  }

  /** Reads the policy of the run, and its lists. @throws Failure `local` or `usage` for what cannot be read or used */
  async read(file: string, how?: ReadingOptions): Promise<PolicyWithLists> {
    const given = await this.#readOneOf(file, how);
    refuseUseless(this.flags, [given]);
    // Without a state, nothing that apply takes away could be set back.
    return file === '-' && this.flags.state === undefined ? {...given, takesNothing: true} : given;
  }

  /** Reads several policies, each once, and their lists. @throws Failure of the first that cannot be read or used, with what is wrong with the others */
  async readAll(names: readonly string[]): Promise<PolicyWithLists[]> {
    const policies = await readEach(names, (file) => this.#readOneOf(file));
    refuseUseless(this.flags, policies);
    return policies;
  }

  /** Reads a policy (`-`: standard input) and its lists, and tells people what is left out of them. */
  async #readOneOf(file: string, {text, comments = commentsFor(this.flags)}: ReadingOptions = {}): Promise<PolicyWithLists> {
    const {io} = this.session;
    const known = text ?? (file === '-' ? await io.readStandardInput() : undefined);
    const given = await readPolicy(file, listAccess(this.flags, this.session), {text: known, now: io.now(), comments});
    for (const note of notesOf(given)) this.session.note(note);
    const only = onlyIn(this.flags);
    return {...given, ...(only && {only})};
  }

  /**
   * Reads a policy with its lists, or a list without its invalid entries. Private comments are read in any case: the caller leaves
   * them out, and says so.
   * @param name the file or URL that the text is from
   * @throws Failure `local` or `usage` for what cannot be read or used
   */
  async readPolicyOrList(name: string, text: string): Promise<{readonly given: PolicyWithLists} | {readonly list: List}> {
    if (isPolicy(text)) {
      refuseLargeFetched(name, text);
      return {given: await this.#readOneOf(name, {text, comments: 'all'})};
    }
    const {list, notes} = readGivenList(text, name);
    for (const note of notes) this.session.note(note);
    return {list};
  }

  /**
   * The accounts that the flags name, and their servers if a policy has sections about these. Each server is used once, through the first
   * profile that may have the scope.
   * @param policies the policies that are used with the accounts
   * @throws Failure `usage` before any request when a policy is not for one of them; `local` when the folder of states cannot be read
   */
  async accounts(policies: readonly PolicyWithLists[], access: AdminAccess): Promise<Accounts> {
    const {flags, session} = this;
    const accounts = this.opened.use(await openAccounts(flags, session));
    await checkAccounts(policies, accounts.members, session);
    const keysOf = async (owner: 'account' | 'server', host: string) => {
      const all = await Promise.all(policies.map((given) => sectionsMeant(given, owner, host, flags.state)));
      return [...new Set(all.flat())];
    };
    return accounts.findMeant(keysOf, access, (text) => session.note(text));
  }

  /**
   * The account or server that policies are compared with or applied to. It suggests commands with the same lists and the same state.
   * @param needsName whether a server that does not name the account is a failure
   * @throws Failure `usage` when a policy is for another server, before any request, or for other accounts
   */
  async target(
    {connection, owner, label}: Pick<Member, 'connection' | 'owner'> & Partial<Pick<Member, 'label'>>,
    policies: readonly PolicyWithLists[],
    needsName: boolean,
  ): Promise<Target> {
    const {client, server, inUse, session} = connection;
    refuseOthers(policies, server, null);
    const common = {
      client,
      server,
      advice: this.adviceOn(inUse),
      label,
      now: session.io.now,
      state: this.flags.state,
      warn: (text: string) => session.warn(text),
      use: <File extends AsyncDisposable>(file: File) => this.opened.use(file),
      measures: (domains: readonly string[]) => connection.measures(domains),
    };
    if (owner === 'server') return {...common, account: server.host, owner, read: readerOf(common)};
    const own = await connection.ownAccount().catch((error: unknown) => {
      if (needsName || !(error instanceof Failure)) throw error;
      return undefined;
    });
    const account = own && `@${own.acct}`;
    refuseOthers(policies, server, account && handleOf(account, server.host));
    return {
      ...common,
      account,
      owner,
      own,
      read: readerOf({...common, own}),
      readFollowedAccounts: (isAgain) => connection.readFollowed(isAgain),
    };
  }

  /** Suggests commands that use the same lists and the same state. */
  adviceOn({flags}: AccountInUse): Target['advice'] {
    return adviceOf(flags, sameFlags(this.flags));
  }

  /** What is known of an account before it is read. @param policy the policy as the user named it */
  known({acct, owner, connection: {server, inUse}}: Member, policy: string, {showsPrivate}: PolicyWithLists): KnownAccount {
    const shown = {host: server.host, advice: this.adviceOn(inUse), policy, showsPrivate};
    return {...aboutOf({server, account: acct, owner}, policy), shown, when: this.session.io.now()};
  }

  async connection(): Promise<Connection> {
    return this.opened.use(await connect(this.session));
  }
}

async function checkAccounts(policies: readonly PolicyWithLists[], members: readonly Member[], session: Session): Promise<void> {
  // A single account, and one whose name is not known yet, are checked later: they do not stop others.
  for (const {connection, handle, label} of members)
    refuseOthers(policies, connection.server, label === undefined ? null : (handle ?? null));
  const inUse = members.map(({connection, handle}) => handle ?? ownHandle(connection));
  const named = policies.filter(({policy}) => policy.variants !== undefined);
  if (named.length === 0 || inUse.includes(undefined) || !session.traits.hasNotes) return;
  const {profiles} = await (await knownProfiles(session)).list();
  const saved = profiles.flatMap(({account, server}) => (account ? handleOf(account.acct, new URL(server).host) : []));
  const known = new Set([...inUse, ...saved]);
  for (const {policy} of named) {
    const strangers = [...(policy.variants?.keys() ?? [])].filter((name) => !known.has(name));
    if (strangers.length > 0)
      session.warn(`${policy.file}: for: ${listNames(strangers)}: no profile or account in use has this name; check the spelling`);
  }
}

function ownHandle({identity, server}: Connection): string | undefined {
  const account = accountOfProfile(identity);
  return account && handleOf(account, server.host);
}
