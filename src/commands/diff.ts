import {Args} from '@oclif/core';
import {PixelctlCommand} from '../lib/cli/command.js';
import {accountOf, connect, type Connection, knownProfiles, sessionAs} from '../lib/cli/connection.js';
import {listFlags} from '../lib/cli/policy/list-access.js';
import {type PolicyFlags, readPolicyOrList} from '../lib/cli/policy/policy.js';
import {printDocument, printingOfOwn} from '../lib/cli/printing.js';
import type {Session} from '../lib/cli/session.js';
import {Failure} from '../lib/client/failure.js';
import {readTextIfThere} from '../lib/client/text-input.js';
import {diff, type Moderation, moderationOfList, moderationOfPolicy, moderationOfState, partsOfList} from '../lib/policy/diff.js';
import {unknownAccount} from '../lib/policy/model/difference.js';
import {neededParts} from '../lib/policy/plan/plan.js';
import {wantedFor} from '../lib/policy/reading/read-wanted.js';
import {kindsText} from '../lib/policy/reports/text.js';
import {readState} from '../lib/policy/sections/read-state.js';
import {holding, holdingKeys, pathsOf} from '../lib/policy/sections/index.js';
import type {SectionKey} from '../lib/policy/model/section-types.js';
import {differencesView} from '../lib/policy/views.js';
import {counted} from '../lib/json/text.js';

export default class Diff extends PixelctlCommand {
  static override summary = 'Compare two servers, policies or lists';
  static override description = `Each side is a policy, a list or the name of a profile; without B, A is compared with the server in use. Only the parts that both sides have are compared; what servers block for everyone, between two profiles of admins too. The exit status is 0 when nothing differs and 10 when something does.

With --json: {"left", "right", "differences": [{"kind", "subject", "left", "right"}]}, null where a side has none.

From servers it reads what both sides have: GET ${pathsOf(holding)}. It needs a token with the scope read; for what a whole server blocks, that of an admin.`;
  static override usage = '<%= command.id %> A [B] [flags]';
  static override args = {
    A: Args.string({
      description: 'a policy, a list, or a profile; - reads a policy or list from standard input',
      required: true,
      ignoreStdin: true,
    }),
    B: Args.string({description: 'another one (default: the server in use)', ignoreStdin: true}),
  };
  static override flags = {...listFlags};
  static override examples = [
    {description: 'Compare a list with the server in use', command: '<%= config.bin %> diff domains.txt'},
    {description: 'Compare a policy with a list', command: '<%= config.bin %> diff moderation.yml domains.txt --json'},
  ];

  override async run(): Promise<void> {
    const {args, flags, session} = await this.start(Diff);
    await printingOfOwn(differencesView, session);
    await using left = await openSide(args.A, flags, session);
    await using right = await openSide(args.B, flags, session);
    const parts = commonParts(left, right);
    if (parts.size === 0) throw new Failure('usage', `${left.name} and ${right.name} have no part in common`);
    const host = left.host ?? right.host ?? '';
    const differences = diff(
      await left.moderation(host, parts, right.connection),
      await right.moderation(right.host ?? host, parts, left.connection),
    );
    const document = {left: left.name, right: right.name, differences};
    await printDocument(document, {view: differencesView, rows: ['differences']}, session);
    if (differences.length === 0) return;
    const count = counted(differences.length, 'difference');
    throw new Failure('drift', `${count} between ${left.name} and ${right.name}`, {closing: [`${count}: ${kindsText(differences)}.`]});
  }
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
  readonly isPolicy?: true;
}

const comparable: ReadonlySet<SectionKey> = new Set(holdingKeys);
const ofAccounts: ReadonlySet<SectionKey> = new Set(holding.flatMap(({key, owner}) => (owner === 'account' ? key : [])));

/** The parts that both sides have. What is a whole server's, which not everybody may read, a policy has to ask for, or two profiles of admins. */
function commonParts(left: Side, right: Side): ReadonlySet<SectionKey> {
  const common = (left.parts ?? comparable).intersection(right.parts ?? comparable);
  const isAsked = left.isPolicy === true || right.isPolicy === true;
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
    return {name, host: server?.value.host, moderation, parts: parts.intersection(comparable), isPolicy: true, ...nothing};
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
  const text = name === undefined ? undefined : await readTextIfThere(name, name);
  if (name !== undefined && text !== undefined) return fileSide(name, text, flags, session);
  if (name !== undefined && !(await (await knownProfiles(session)).list()).profiles.some((profile) => profile.name === name))
    throw new Failure('usage', `No file or profile is named ${name}`, {hint: '`pixelctl auth status` lists the profiles'});
  return serverSide(name, await connect(name === undefined ? session : sessionAs(name, session)));
}
