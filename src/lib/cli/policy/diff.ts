/** What `diff` does: compares any two of a server, a policy and a list. */
import {type PolicyFlags, refuseUseless} from './flags.js';
import {readPolicyOrList} from './reading.js';
import type {PolicyRun} from './run.js';
import {accountOf, connect, type Connection, sessionAs} from '../connection.js';
import {knownProfiles} from '../known-profiles.js';
import {printResult} from '../print-result.js';
import {printingOfOwn} from '../sink.js';
import type {Session} from '../session.js';
import {cannotRead, Failure} from '../../client/failure.js';
import {absent} from '../../files/system-error.js';
import {readGivenText} from '../../files/text.js';
import {inert} from '../../print/inert.js';
import {diff, type DiffSide, diffSides, policyViews, refuseDifferences} from '../../policy/index.js';

/** @param second undefined: the server in use @throws Failure `drift` when something differs; `usage` for sides without a part in common */
export async function printDiff(first: string, second: string | undefined, {flags, session}: PolicyRun): Promise<void> {
  await using one = await openSide(first, flags, session);
  await using other = await openSide(second, flags, session);
  const [{side: left}, {side: right}] = [one, other];
  const view = policyViews.differences(inert(left.name), inert(right.name));
  await printingOfOwn(view, session);
  refuseUseless(
    flags,
    [left, right].flatMap(({given}) => given ?? []),
    `${left.name} and ${right.name}`,
  );
  const document = await diff(left, right);
  await printResult({document, view, at: ['differences']}, session);
  refuseDifferences(document);
}

interface OpenSide extends AsyncDisposable {
  readonly side: DiffSide;
}

function serverSide(name: string | undefined, connection: Connection): OpenSide {
  const {client, server, identity, session} = connection;
  const account = () => accountOf(connection);
  const now = () => session.io.now();
  const side = diffSides.server(name ?? server.host, {client, server, account, isAdmin: identity.isAdmin === true, now});
  return {side, [Symbol.asyncDispose]: () => connection.close()};
}

async function fileSide(name: string, text: string, flags: PolicyFlags, session: Session): Promise<OpenSide> {
  const read = await readPolicyOrList(name, text, flags, session);
  const side = 'given' in read ? diffSides.policy(name, read.given) : diffSides.list(name, read.list);
  return {side, [Symbol.asyncDispose]: async () => {}};
}

/**
 * @param name a file, else a profile; undefined: the server that flags and environment name
 * @throws Failure `usage` when it is neither, or cannot be read
 */
async function openSide(name: string | undefined, flags: PolicyFlags, session: Session): Promise<OpenSide> {
  if (name === '-') return fileSide('standard input', await session.io.readStandardInput(), flags, session);
  const text = name === undefined ? undefined : await readGivenText(name).catch(absent).catch(cannotRead(name));
  if (name !== undefined && text !== undefined) return fileSide(name, text, flags, session);
  if (name !== undefined && !(await (await knownProfiles(session)).list()).profiles.some((profile) => profile.name === name))
    throw new Failure('usage', `No file or profile is named ${name}`, {hint: '`pixelctl auth status` lists the profiles'});
  return serverSide(name, await connect(name === undefined ? session : sessionAs(name, session)));
}
