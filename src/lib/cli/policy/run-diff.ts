/** What `diff` does: compares any two of a server, a policy and a list. */
import {refuseUseless} from './policy-flags.js';
import type {PolicyRun} from './policy-run.js';
import {accountOf, connect, sessionAs} from '../connection.js';
import {knownProfiles} from '../known-profiles.js';
import {checkFields, type Result} from '../sink.js';
import type {Session} from '../session.js';
import {cannotRead, Failure} from '../../client/failure.js';
import {absent} from '../../files/system-error.js';
import {readGivenText} from '../../files/read-text.js';
import {diff, type DiffSide, policyViews} from '../../policy/index.js';

/** @param second undefined: the server in use @throws Failure `usage` for sides without a part in common; the result ends with `drift` when something differs */
export async function diffSides(first: string, second: string | undefined, run: PolicyRun): Promise<Result> {
  const [left, right] = [await openSide(first, run), await openSide(second, run)];
  await checkFields(run.printing, {of: 'own', view: policyViews.differences(left.name, right.name)}, run.session);
  const policies = [left, right].flatMap(({given}) => given ?? []);
  refuseUseless(run.flags, policies, `${left.name} and ${right.name}`);
  return diff(left, right);
}

/** @param name the name to show; undefined: the host */
async function openServer(session: Session, name: string | undefined, {opened}: PolicyRun): Promise<DiffSide> {
  const connection = opened.use(await connect(session));
  const {client, server, identity} = connection;
  const account = () => accountOf(connection);
  return {name: name ?? server.host, account: {client, server, account, isAdmin: identity.isAdmin === true, now: session.io.now}};
}

const openFile = async (name: string, text: string, run: PolicyRun): Promise<DiffSide> => ({
  name,
  ...(await run.readPolicyOrList(name, text)),
});

/**
 * @param name a file, the address of a server, else a profile; undefined: the server in use
 * @throws Failure `usage` when it is none of them, or cannot be read
 */
async function openSide(name: string | undefined, run: PolicyRun): Promise<DiffSide> {
  const {session} = run;
  if (name === undefined) return openServer(session, name, run);
  if (name === '-') return openFile('standard input', await session.io.readStandardInput(), run);
  if (/^https?:\/\//i.test(name)) return openServer(session.with({server: name, profile: undefined}), undefined, run);
  const text = await readGivenText(name).catch(absent).catch(cannotRead(name));
  if (text !== undefined) return openFile(name, text, run);
  if (!(await (await knownProfiles(session)).list()).profiles.some((profile) => profile.name === name))
    throw new Failure('usage', `No file or profile is named ${name}`, {
      hint: '`pixelctl auth status` lists the profiles; a server is named by its address, as in https://pix.example',
    });
  return openServer(sessionAs(name, session), name, run);
}
