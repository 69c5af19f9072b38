/** What `diff` compares and what `export` writes: servers, policies and lists, as people name them. */
import {fetchWaiting, onlyIn, type PolicyRun} from './policy-command.js';
import {type PolicyFlags, listFlags} from './policy-flags.js';
import {failureWithSignIn} from '../errors.js';
import {accountOf, connect, sessionAs} from '../connection.js';
import {knownProfiles} from '../known-profiles.js';
import {checkFields, type Result} from '../sink.js';
import type {Session} from '../session.js';
import {cannotRead, Failure} from '../../client/failure.js';
import {absent} from '../../files/system-error.js';
import {readGivenText, textOfBytes} from '../../files/read-text.js';
import {diff, exportPolicy, listFormats, policyViews} from '../../policy/index.js';

type Side = Parameters<typeof diff>[0];

/** @param second undefined: the server in use @throws Failure `usage` for sides without a part in common; the result ends with `drift` when something differs */
export async function diffSides(first: string, second: string | undefined, run: PolicyRun): Promise<Result> {
  const [left, right] = [await openSide(first, run), await openSide(second, run)];
  await checkFields(run.printing, {of: 'own', view: policyViews.differences(left.name, right.name)}, run.session);
  return diff(left, right);
}

/** @param name the name to show; undefined: the host */
async function openServer(session: Session, name: string | undefined, {opened}: PolicyRun): Promise<Side> {
  const connection = opened.use(await connect(session));
  const {client, server, identity} = connection;
  const account = () => accountOf(connection);
  const failureOf = (error: unknown) => failureWithSignIn(error, session);
  return {
    name: name ?? server.host,
    account: {client, server, account, failureOf, isAdmin: identity.isAdmin === true, now: session.io.now},
  };
}

const isAddress = (name: string): boolean => /^https?:\/\//i.test(name);

/**
 * @param name a file, the address of a server, else a profile; undefined: the server in use
 * @throws Failure `usage` when it is none of them, or cannot be read
 */
async function openSide(name: string | undefined, run: PolicyRun): Promise<Side> {
  const {session} = run;
  if (name === undefined) return openServer(session, name, run);
  if (isAddress(name)) return openServer(session.with({server: name, profile: undefined}), undefined, run);
  const [shown, text] =
    name === '-'
      ? ['standard input', await session.io.readStandardInput()]
      : [name, await readGivenText(name).catch(absent).catch(cannotRead(name))];
  if (text !== undefined) return {name: shown, ...(await run.readPolicyOrList(shown, text))};
  if (!(await (await knownProfiles(session)).list()).profiles.some((profile) => profile.name === name))
    throw new Failure('usage', `No file or profile is named ${name}`, {
      hint: '`pixelctl auth status` lists the profiles; a server is named by its address, as in https://pix.example',
    });
  return openServer(sessionAs(name, session), name, run);
}

type ExportRun = PolicyRun<PolicyFlags & {readonly as?: string | undefined; readonly from?: readonly string[] | undefined}>;
type Source = Parameters<typeof exportPolicy>[1];

/** @throws Failure `usage` when the format cannot hold a section; also when something cannot be read */
export async function exportAs(run: ExportRun): Promise<Result> {
  const {flags, session, printing: setting} = run;
  if (session.traits.isRows)
    throw new Failure('usage', `Cannot export as ${session.format}`, {
      hint: 'a policy is YAML, or JSON with --json; choose a list format with --as',
    });
  const format = listFormats.find((one) => one === flags.as);
  const choice = {format, only: onlyIn(flags.only) ?? [], showsPrivate: flags['show-private'] === true, setting};
  const {notes, ...exported} = await exportPolicy(choice, await sourceOf(run));
  // Programs are told of what was left out as well: the text does not show it.
  for (const note of notes) {
    if (typeof note === 'string') session.note(note);
    else session.warn(note.text);
  }
  return exported;
}

async function sourceOf(run: ExportRun): Promise<Source> {
  const {flags, session} = run;
  const {from} = flags;
  if (from !== undefined) return {readFiles: () => Array.fromAsync(from, (name) => readFile(name, run))};
  const lone = Object.keys(listFlags).find((name) => name in flags);
  if (lone !== undefined) throw new Failure('usage', `--${lone} is for --from`);
  return {client: (await run.connection()).client, now: session.io.now()};
}

/** @throws Failure `usage` when it cannot be read */
async function readFile(given: string, run: ExportRun) {
  const {session} = run;
  const text = isAddress(given) ? textOfBytes(await fetchWaiting(given, session), given) : await session.io.read(given, given);
  const name = given === '-' ? 'standard input' : given;
  return {name, ...(await run.readPolicyOrList(name, text))};
}
