/** A run of a command about policies: its flags, and the opening that these commands have in common. */
import {type Accounts, type Member, openAccounts} from '../accounts.js';
import {connect, type Connection} from '../connection.js';
import {knownProfiles} from '../known-profiles.js';
import {type PolicyFlags, sameFlags} from './flags.js';
import {type ReadingOptions, readPolicyAndLists, refuseUseless} from './reading.js';
import {
  adviceOf,
  type Meant,
  meantBy,
  ofMany,
  policyName,
  refuseOtherAccount,
  refuseOtherServer,
  type Target,
  unknownAccount,
  type Wanted,
  wantedFor,
} from '../../policy/index.js';
import {withServers} from './servers.js';
import type {AdminAccess} from '../../auth/index.js';
import type {Session} from '../session.js';
import {accountOfProfile} from '../../auth/index.js';
import {Failure, type Mistake} from '../../client/failure.js';
import {handleOf} from '../../operations/handle.js';

/** What it opens is closed with it. */
export class PolicyRun<Flags extends PolicyFlags = PolicyFlags> implements AsyncDisposable {
  readonly flags: Flags;
  readonly session: Session;
  readonly #opened: AsyncDisposable[];

  constructor(flags: Flags, session: Session, opened: AsyncDisposable[] = []) {
    this.flags = flags;
    this.session = session;
    this.#opened = opened;
  }

  /** A run on what this one has opened, with other flags. */
  with(flags: Partial<Flags>): PolicyRun<Flags> {
    return new PolicyRun({...this.flags, ...flags}, this.session, this.#opened);
  }

  /** Reads the policy of the run, and its lists. @throws Failure `local` or `usage` for what cannot be read or used */
  async read(file: string, how?: ReadingOptions): Promise<Wanted> {
    const wanted = await this.readOneOf(file, how);
    refuseUseless(this.flags, [wanted]);
    return file === '-' && this.flags.state === undefined ? {...wanted, takesNothing: true} : wanted;
  }

  /**
   * Reads several policies, each once, and their lists.
   * @param tellMistakes is given those of all files, when some cannot be used
   * @throws Failure of the first that cannot be read or used, with what is wrong with the others
   */
  async readAll(names: readonly string[], tellMistakes?: (mistakes: readonly Mistake[]) => Promise<void>): Promise<Wanted[]> {
    const policies: Wanted[] = [];
    const failures: Failure[] = [];
    for (const file of new Set(names)) {
      try {
        policies.push(await this.readOneOf(file));
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        failures.push(error.with({mistakes: [{file, line: 1, message: error.message}]}));
      }
    }
    const [first, ...others] = failures;
    if (first === undefined) {
      refuseUseless(this.flags, policies);
      return policies;
    }
    const mistakes = failures.flatMap(({details}) => details.mistakes ?? []);
    await tellMistakes?.(mistakes);
    if (others.length === 0) throw first;
    // The first line of each says what it is about, the others name its mistakes.
    const [heads, lines] = [failures.map(({message}) => message.split('\n', 1)), failures.map(({message}) => message.split('\n').slice(1))];
    throw new Failure(first.code, [heads.join('; '), ...lines.flat()].join('\n'), {...first.details, mistakes});
  }

  /**
   * Reads one of several policies, from standard input where its name is `-`, and its lists. Flags that are of no use with all of them are
   * for the caller to refuse.
   * @throws Failure `local` or `usage` for what cannot be read or used
   */
  async readOneOf(file: string, how: ReadingOptions = {}): Promise<Wanted> {
    const text = how.text ?? (file === '-' ? await this.session.io.readStandardInput() : undefined);
    return readPolicyAndLists(file, this.flags, this.session, {...how, text});
  }

  /**
   * The accounts that the flags name, and beside them the servers where what their accounts share is meant. Warns of accounts in `for:` that
   * are neither in use nor those of other profiles.
   * @param policies that are about to be used with them
   * @param access what is done to the servers
   * @throws Failure `usage` before any request when a policy is not for one of them; `local` when a state file cannot be read
   */
  async accounts(policies: readonly Wanted[], access: AdminAccess, meant: Meant = meantBy(policies, this.flags.state)): Promise<Accounts> {
    const opened = await openAccounts(this.flags, this.session);
    this.#opened.push(opened);
    await checkAccounts(policies, opened, this.session);
    return withServers(opened, meant, access, this.session);
  }

  /**
   * What a policy is compared with or applied to, with suggestions that lead to the same lists and the same state file.
   * @param needsName whether a server that refuses to name the account is a failure
   * @throws Failure `usage` when a policy is for another server, before any request, or for other accounts
   */
  async target({connection, owner}: Pick<Member, 'connection' | 'owner'>, policies: readonly Wanted[], needsName = true): Promise<Target> {
    for (const {policy} of policies) refuseOtherServer(policy, connection.server);
    const target = targetThrough(connection, this.flags);
    if (owner === 'server') return {...target, account: connection.server.host, owner};
    const own = await connection.ownAccount().catch((error: unknown) => {
      if (needsName || !(error instanceof Failure)) throw error;
      return undefined;
    });
    const account = own ? `@${own.acct}` : unknownAccount;
    const found = {...target, account, owner, own, followed: () => connection.followed()};
    for (const {policy} of policies) refuseOtherAccount(policy, policyName(found));
    return found;
  }

  /** The account in use. */
  async connection(): Promise<Connection> {
    const connection = await connect(this.session);
    this.#opened.push(connection);
    return connection;
  }

  /**
   * What a policy wants of the account of a connection. The account is asked for only where that depends on it.
   * @throws Failure `usage` when the policy is for another server or account
   */
  async wantedOn(connection: Connection, wanted: Wanted): Promise<Wanted> {
    const {policy} = wanted;
    if (policy.accounts !== undefined || policy.variants !== undefined)
      return wantedFor(wanted, await this.target({connection, owner: undefined}, [wanted]));
    refuseOtherServer(policy, connection.server);
    return wanted;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const one of this.#opened.splice(0).toReversed()) await one[Symbol.asyncDispose]();
  }
}

function targetThrough(connection: Connection, flags: PolicyFlags) {
  const {client, server, inUse, session} = connection;
  return {
    client,
    server,
    advice: adviceOf(inUse.flags, sameFlags(flags)),
    now: session.io.now,
    measures: (domains: readonly string[]) => connection.measures(domains),
  };
}

async function checkAccounts(policies: readonly Wanted[], accounts: Accounts, session: Session): Promise<void> {
  refuseOthers(policies, accounts);
  const inUse = accounts.members.map(({connection, handle}) => handle ?? ownHandle(connection));
  const named = policies.filter(({policy}) => policy.variants !== undefined);
  if (named.length === 0 || inUse.includes(undefined) || !session.traits.hasNotes) return;
  const {profiles} = await (await knownProfiles(session)).list();
  const saved = profiles.flatMap(({account, server}) => (account ? handleOf(account.acct, new URL(server).host) : []));
  const known = new Set([...inUse, ...saved]);
  for (const {policy} of named) {
    const strangers = [...(policy.variants?.keys() ?? [])].filter((name) => !known.has(name));
    if (strangers.length > 0)
      session.warn(`${policy.file}: for: ${ofMany(strangers)}: no profile or account in use has this name; check the spelling`);
  }
}

/** The name of the account of a profile. */
function ownHandle({identity, server}: Connection): string | undefined {
  const account = accountOfProfile(identity);
  return account && handleOf(account, server.host);
}

function refuseOthers(policies: readonly Wanted[], {areNamed, members}: Accounts): void {
  for (const {policy} of policies)
    for (const {connection, handle} of members) {
      refuseOtherServer(policy, connection.server);
      // One that is not known is refused by itself: the others are not affected.
      if (areNamed && handle !== undefined) refuseOtherAccount(policy, handle);
    }
}
