/** What `diff` does: compares any two of a server, a policy and a list. */
import {refuseUseless} from './policy-flags.js';
import type {PolicyRun} from './policy-run.js';
import {accountOf, connect, sessionAs} from '../connection.js';
import {knownProfiles} from '../known-profiles.js';
import {checkFields, type Result} from '../sink.js';
import {cannotRead, Failure} from '../../client/failure.js';
import {absent} from '../../files/system-error.js';
import {readGivenText} from '../../files/read-text.js';
import {inert} from '../../print/inert.js';
import {diff, type DiffSide, diffSides, differenceFailure, policyViews} from '../../policy/index.js';

/** @param second undefined: the server in use @throws Failure `usage` for sides without a part in common; the result ends with `drift` when something differs */
export async function diffSidesNamed(first: string, second: string | undefined, run: PolicyRun): Promise<Result> {
  const [left, right] = [await openSide(first, run), await openSide(second, run)];
  const view = policyViews.differences(inert(left.name), inert(right.name));
  await checkFields(run.printing, {of: 'own', view}, run.session);
  const policies = [left, right].flatMap(({given}) => given ?? []);
  refuseUseless(run.flags, policies, `${left.name} and ${right.name}`);
  const document = await diff(left, right);
  return {document, view, at: ['differences'], failure: differenceFailure(document)};
}

/** @param name a profile; undefined: the server that flags and environment name */
async function openServer(name: string | undefined, {opened, session}: PolicyRun): Promise<DiffSide> {
  const connection = opened.use(await connect(name === undefined ? session : sessionAs(name, session)));
  const {client, server, identity} = connection;
  const account = () => accountOf(connection);
  return diffSides.server(name ?? server.host, {client, server, account, isAdmin: identity.isAdmin === true, now: () => session.io.now()});
}

async function openFile(name: string, text: string, run: PolicyRun): Promise<DiffSide> {
  const read = await run.readPolicyOrList(name, text);
  return 'given' in read ? diffSides.policy(name, read.given) : diffSides.list(name, read.list);
}

/**
 * @param name a file, else a profile; undefined: the server in use
 * @throws Failure `usage` when it is neither, or cannot be read
 */
async function openSide(name: string | undefined, run: PolicyRun): Promise<DiffSide> {
  const {io} = run.session;
  if (name === undefined) return openServer(name, run);
  if (name === '-') return openFile('standard input', await io.readStandardInput(), run);
  const text = await readGivenText(name).catch(absent).catch(cannotRead(name));
  if (text !== undefined) return openFile(name, text, run);
  if (!(await (await knownProfiles(run.session)).list()).profiles.some((profile) => profile.name === name))
    throw new Failure('usage', `No file or profile is named ${name}`, {hint: '`pixelctl auth status` lists the profiles'});
  return openServer(name, run);
}
