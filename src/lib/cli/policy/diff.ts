/** What `diff` does: compares any two of a server, a policy and a list. */
import type {PolicyFlags} from './flags.js';
import {readPolicyOrList, refuseUseless} from './reading.js';
import type {PolicyRun} from './run.js';
import {accountOf, connect, type Connection, sessionAs} from '../connection.js';
import {knownProfiles} from '../known-profiles.js';
import {printDocument, printingOfOwn} from '../printing.js';
import type {Session} from '../session.js';
import {cannotRead, Failure} from '../../client/failure.js';
import {absent} from '../../files/system-error.js';
import {readGivenText} from '../../files/text.js';
import {counted} from '../../json/text.js';
import {inert} from '../../print/inert.js';
import {
  diff,
  type DiffJson,
  differencesView,
  holding,
  holdingKeys,
  kindsText,
  type Moderation,
  moderationOfList,
  moderationOfPolicy,
  moderationOfState,
  neededParts,
  partsOfList,
  readState,
  type SectionKey,
  unknownAccount,
  type Wanted,
  wantedFor,
} from '../../policy/index.js';

/** @param second undefined: the server in use @throws Failure `drift` when something differs; `usage` for sides without a part in common */
export async function printDiff(first: string, second: string | undefined, {flags, session}: PolicyRun): Promise<void> {
  await using left = await openSide(first, flags, session);
  await using right = await openSide(second, flags, session);
  const view = differencesView(inert(left.name), inert(right.name));
  await printingOfOwn(view, session);
  refuseUseless(
    flags,
    [left, right].flatMap(({wanted}) => wanted ?? []),
    `${left.name} and ${right.name}`,
  );
  const parts = commonParts(left, right);
  if (parts.size === 0) throw new Failure('usage', `${left.name} and ${right.name} have no part in common`);
  const host = left.host ?? right.host ?? '';
  const differences = diff(
    await left.moderation(host, parts, right.connection),
    await right.moderation(right.host ?? host, parts, left.connection),
  );
  const document: DiffJson = {left: left.name, right: right.name, differences};
  await printDocument(document, {view, rows: ['differences']}, session);
  if (differences.length === 0) return;
  const count = counted(differences.length, 'difference');
  throw new Failure('drift', `${count} between ${left.name} and ${right.name}`, {closing: [`${count}: ${kindsText(differences)}.`]});
}

/** A server, through a profile; a policy; or a list. */
interface Side extends AsyncDisposable {
  readonly name: string;
  /** The server that it is, or is meant for; undefined: any. */
  readonly host: string | undefined;
  /** Of a server. */
  readonly connection?: Connection;
  /**
   * @param host of accounts that are written without one @param parts that a server is asked for
   * @param other the account that a policy is compared with
   */
  readonly moderation: (host: string, parts: ReadonlySet<SectionKey>, other?: Connection) => Promise<Moderation>;
  /** The parts that it has; undefined: all. */
  readonly parts: ReadonlySet<SectionKey> | undefined;
  /** Set where it is a policy. */
  readonly wanted?: Wanted;
}

const comparable: ReadonlySet<SectionKey> = new Set(holdingKeys);
const ofAccounts: ReadonlySet<SectionKey> = new Set(holding.flatMap(({key, owner}) => (owner === 'account' ? key : [])));

/** The parts that both sides have. What is a whole server's, which not everybody may read, a policy has to ask for, or two profiles of admins. */
function commonParts(left: Side, right: Side): ReadonlySet<SectionKey> {
  const common = (left.parts ?? comparable).intersection(right.parts ?? comparable);
  const isAsked = left.wanted !== undefined || right.wanted !== undefined;
  const areAdmins = [left, right].every(({connection}) => connection?.identity.isAdmin === true);
  return isAsked || areAdmins ? common : common.intersection(ofAccounts);
}

function serverSide(name: string | undefined, connection: Connection): Side {
  const {client, server, session} = connection;
  return {
    name: name ?? server.host,
    host: server.host,
    connection,
    moderation: async (_, parts) => moderationOfState(await readState(client, server.origin, parts), session.io.now()),
    parts: undefined,
    [Symbol.asyncDispose]: () => connection.close(),
  };
}

async function fileSide(name: string, text: string, flags: PolicyFlags, session: Session): Promise<Side> {
  const nothing = {[Symbol.asyncDispose]: async () => {}};
  const read = await readPolicyOrList(name, text, flags, session);
  if ('wanted' in read) {
    const {wanted} = read;
    const {server, variants} = wanted.policy;
    const moderation: Side['moderation'] = async (host, _, other) => {
      if (other === undefined || variants === undefined) return moderationOfPolicy(wanted, host);
      const account = (await accountOf(other)) ?? unknownAccount;
      return moderationOfPolicy(wantedFor(wanted, {account, server: other.server}), host);
    };
    const parts = [wanted.policy, ...(variants?.values() ?? [])]
      .map((policy) => neededParts(policy))
      .reduce((all, some) => all.union(some));
    return {name, host: server?.value.host, moderation, parts: parts.intersection(comparable), wanted, ...nothing};
  }
  const {list} = read;
  return {
    name,
    host: undefined,
    moderation: async (host) => moderationOfList(list, host),
    parts: partsOfList(list),
    ...nothing,
  };
}

/**
 * @param name a file, else a profile; undefined: the server that flags and environment name
 * @throws Failure `usage` when it is neither, or cannot be read
 */
async function openSide(name: string | undefined, flags: PolicyFlags, session: Session): Promise<Side> {
  if (name === '-') return fileSide('standard input', await session.io.readStandardInput(), flags, session);
  const text = name === undefined ? undefined : await readGivenText(name).catch(absent).catch(cannotRead(name));
  if (name !== undefined && text !== undefined) return fileSide(name, text, flags, session);
  if (name !== undefined && !(await (await knownProfiles(session)).list()).profiles.some((profile) => profile.name === name))
    throw new Failure('usage', `No file or profile is named ${name}`, {hint: '`pixelctl auth status` lists the profiles'});
  return serverSide(name, await connect(name === undefined ? session : sessionAs(name, session)));
}
