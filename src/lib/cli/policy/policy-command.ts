/** Commands about policies: each reads what it is about, calls one use of the policy room, and returns its result. */
import type {Interfaces} from '@oclif/core';
import type {AccountInUse} from '../account-in-use.js';
import {type Accounts as OpenedAccounts, type Member, openAccounts, sessionsOf} from '../account-driver.js';
import {command, type CommandClass, type Definition, type Opened, type ParsedValues} from '../command.js';
import {connect, type Connection, wishOf} from '../connection.js';
import {type AccountsFlags, accountsFlags, joinFlags} from '../flags.js';
import type {GlobalFlags, Session} from '../session.js';
import type {Printing, Result} from '../sink.js';
import {type PolicyFlags, type Reports, reportsOf, sameFlags} from './policy-flags.js';
import {type AdminAccess, identify} from '../../auth/index.js';
import {Failure} from '../../client/failure.js';
import {isLoopback} from '../../client/transport.js';
import {handleOf} from '../../operations/handle.js';
import {
  type Accounts,
  countFollowed,
  type Known,
  type PolicyWithLists,
  readEach,
  readPolicy,
  readPolicyOrList,
  refuseOthers,
  sectionKeys,
  sectionsMeant,
  type Target,
} from '../../policy/index.js';

/** The flags that all of these commands have. */
type Common = AccountsFlags & Omit<GlobalFlags, 'profile'>;

interface PolicySpec<Args extends ParsedValues, Flags extends PolicyFlags & ParsedValues> extends Omit<
  Definition<Args, Common & Flags>,
  'args' | 'flags' | 'run'
> {
  readonly args: Interfaces.ArgInput<Args>;
  readonly flags: Interfaces.FlagInput<Flags>;
  /** Whether the command can use several accounts. */
  readonly several?: boolean;
  readonly run: (run: PolicyRun<Common & Flags>, args: Args) => Promise<Result>;
}

export function policyCommand<Args extends ParsedValues, Flags extends PolicyFlags & ParsedValues>({
  several = false,
  flags,
  run,
  ...words
}: PolicySpec<Args, Flags>): CommandClass {
  return command<Common & Flags, Args>({
    ...words,
    flags: several ? joinFlags<Interfaces.FlagInput[]>(flags, accountsFlags) : flags,
    run: ({args, flags: given, session, opened, printing}) => run(new PolicyRun(given, session, opened, printing), args),
  });
}

export class PolicyRun<Flags extends PolicyFlags = PolicyFlags> implements Accounts {
  /** The files of `--report`. */
  readonly reports: Reports;

  /** @param opened what is closed once the result is printed */
  constructor(
    readonly flags: Flags,
    readonly session: Session,
    readonly opened: Opened,
    readonly printing: Printing,
  ) {
    this.reports = reportsOf(flags.report);
  }

  /** Reads the policy of the run, and its lists. @param text if it was read already @throws Failure `local` or `usage` for what cannot be read or used */
  async read(file: string, text?: string): Promise<PolicyWithLists> {
    const given = await this.#readOne(file, text);
    await this.reports.refuseOverwrites([given]);
    // Without a state, nothing that apply takes away could be set back.
    return file === '-' && this.flags.state === undefined ? {...given, takesNothing: true} : given;
  }

  /** Reads several policies, each once, and their lists. @throws Failure of the first that cannot be read or used, with what is wrong with the others */
  async readAll(names: readonly string[]): Promise<readonly PolicyWithLists[]> {
    const all = await readEach(names, (file) => this.#readOne(file));
    await this.reports.refuseOverwrites(all);
    return all;
  }

  /** Reads a policy (`-`: standard input) and its lists, and tells people what is left out of them. */
  async #readOne(file: string, read?: string): Promise<PolicyWithLists> {
    const {io} = this.session;
    const text = read ?? (file === '-' ? await io.readStandardInput() : undefined);
    const given = await readPolicy(file, listAccess(this.flags, this.session), {text, now: io.now()});
    this.#tell(given.notes);
    return {...given, only: onlyIn(this.flags.only), showsPrivate: this.flags['show-private']};
  }

  /** Reads what a text is. @param name the file or URL that it is from @throws Failure `local` or `usage` */
  async readPolicyOrList(name: string, text: string) {
    const {notes, ...read} = await readPolicyOrList(name, text, listAccess(this.flags, this.session), this.session.io.now());
    this.#tell(notes);
    return read;
  }

  #tell(notes: readonly string[] = []): void {
    for (const note of notes) this.session.note(note);
  }

  /**
   * The accounts that the flags name, and their servers if a policy has sections about these. Each server is used once, through the first
   * profile that may have the scope.
   * @param policies the policies that are used with the accounts
   * @throws Failure `usage` before any request when a policy is not for one of them; `local` when the folder of states cannot be read
   */
  async accounts(policies: readonly PolicyWithLists[], access: AdminAccess): Promise<OpenedAccounts> {
    const {flags, session} = this;
    const accounts = this.opened.use(await openAccounts(flags, session));
    // A single account, and one whose name is not known yet, are checked later: they do not stop others.
    for (const {connection, handle, label} of accounts.members)
      refuseOthers(policies, connection.server, label === undefined ? null : (handle ?? null));
    const keysOf = async (owner: 'account' | 'server', host: string) => {
      const all = await Promise.all(policies.map((given) => sectionsMeant(given, owner, host, flags.state)));
      return [...new Set(all.flat())];
    };
    return accounts.findMeant(keysOf, access, (text) => session.note(text));
  }

  readonly gather: Accounts['gather'] = async (policies, work, needsName = false) => {
    const accounts = await this.accounts(policies, 'read');
    const {all, failure, noun, inUse} = await accounts.gather(async (member) => work(await this.target(member, policies, needsName)));
    const gathered = all.map((one) => ('value' in one ? one : {target: this.known(one.member, one.member.acct), failure: one.failure}));
    return {all: gathered, failure, noun, advice: this.adviceOn(inUse)};
  };

  /** What is known of an account or a server before anything is read. */
  known({connection: {server, session}, owner, label}: Meant, acct: string | undefined): Known {
    const account = owner === 'server' ? server.host : acct;
    return {server, account, owner, label, advice: this.adviceOn(session.inUse), now: this.session.io.now};
  }

  /**
   * The account or server that policies are compared with or applied to.
   * @param needsName whether a server that does not name the account is a failure, as it is where a policy names accounts
   * @throws Failure `usage` when a policy is for another server, before any request, or for other accounts
   */
  async target(member: Meant, policies: readonly PolicyWithLists[], needsName: boolean): Promise<Target> {
    const {connection, owner} = member;
    const {client, server, session} = connection;
    refuseOthers(policies, server, null);
    const isNamed = policies.some(({policy: {accounts, variants}}) => (accounts ?? variants) !== undefined);
    const own =
      owner === 'server'
        ? undefined
        : await connection.ownAccount().catch((error: unknown) => {
            if (needsName || isNamed || !(error instanceof Failure)) throw error;
            return undefined;
          });
    const account = own && `@${own.acct}`;
    if (owner !== 'server') refuseOthers(policies, server, account && handleOf(account, server.host));
    let followed: ReturnType<typeof countFollowed> | undefined;
    return {
      ...this.known(member, account),
      client,
      own,
      state: this.flags.state,
      warn: (text) => session.warn(text),
      use: (file) => this.opened.use(file),
      measures: (domains) => connection.measures(domains),
      readFollowedAccounts: async (isAgain) => (followed = isAgain || !followed ? countFollowed(client, own?.id) : followed),
    };
  }

  /** For commands that use the same lists and the same state. */
  adviceOn({flags}: AccountInUse): Target['advice'] {
    return {account: flags, policy: sameFlags(this.flags)};
  }

  async connection(): Promise<Connection> {
    return this.opened.use(await connect(this.session));
  }
}

/** The sections of `--only`, in alphabetical order; undefined: all sections. */
export const onlyIn = (only: readonly string[] | undefined): readonly string[] | undefined =>
  only && sectionKeys.filter((key) => only.includes(key));

type Meant = Pick<Member, 'connection' | 'owner'> & Partial<Pick<Member, 'label'>>;

/** Whether the servers of all accounts in use are on this machine. */
async function areOnLoopback(flags: PolicyFlags, session: Session): Promise<boolean> {
  try {
    const sessions = await sessionsOf(flags, session);
    const identities = await Promise.all(sessions.map(async (one) => identify({...(await wishOf(one)), tokenOf: async () => ''})));
    return identities.every(({server}) => isLoopback(server.hostname));
  } catch {
    // If a server is missing, a command that needs one says so itself.
    return false;
  }
}

/** Fetches a list or a policy, and shows people that the run waits for it. */
export async function fetchWaiting(address: string, session: Session, options: {isLoopbackAllowed?: boolean} = {}): Promise<Buffer> {
  const {fetchRemoteList} = await import('../../policy/lists/remote-list.js');
  const {timeout, userAgent, waiting} = session;
  const url = URL.parse(address);
  const over = url === null ? undefined : waiting?.({host: url.host, for: {method: 'GET', path: url.pathname}});
  try {
    return await fetchRemoteList(address, {timeout, retries: session.flags.retries, userAgent, ...options});
  } finally {
    over?.();
  }
}

/** How lists may be read, as the flags allow. An address is fetched once, however many lists name it. */
function listAccess(flags: PolicyFlags, session: Session): Parameters<typeof readPolicyOrList>[2] {
  const isOutsideAllowed = flags['allow-outside'] === true;
  if (flags['allow-remote-lists'] !== true) return {isOutsideAllowed};
  const fetched = new Map<string, Promise<Buffer>>();
  const fetchOne = async (address: string): Promise<Buffer> => {
    const isLoopbackAllowed = isLoopback(URL.parse(address)?.hostname ?? '') && (await areOnLoopback(flags, session));
    return fetchWaiting(address, session, {isLoopbackAllowed});
  };
  return {
    isOutsideAllowed,
    async fetchList(address) {
      const fetching = fetched.get(address) ?? fetchOne(address);
      fetched.set(address, fetching);
      return fetching;
    },
  };
}
