/** What `export` does: writes an account, a policy or lists as a policy, or as a list for another tool. */
import {type PolicyFlags, refuseUseless} from './policy-flags.js';
import {fetchWaiting, listFlags} from './list-access.js';
import type {PolicyRun} from './policy-run.js';
import type {Result} from '../sink.js';
import {Failure} from '../../client/failure.js';
import {textOfBytes} from '../../files/read-text.js';
import {type ExportedFiles, exportPolicy, type ExportSource, listFormats, sectionKeys} from '../../policy/index.js';

type ExportRun = PolicyRun<PolicyFlags & {readonly as?: string | undefined; readonly from?: readonly string[] | undefined}>;

/** @throws Failure `usage` when the format cannot hold a section; also when something cannot be read */
export async function exportAs(run: ExportRun): Promise<Result> {
  const {flags, session, printing: setting} = run;
  if (session.traits.isRows)
    throw new Failure('usage', `Cannot export as ${session.format}`, {
      hint: 'a policy is YAML, or JSON with --json; choose a list format with --as',
    });
  const format = listFormats.find((one) => one === flags.as);
  const only = sectionKeys.filter((key) => flags.only?.includes(key));
  const choice = {format, only, showsPrivate: flags['show-private'] === true, setting};
  const {notes, ...exported} = await exportPolicy(choice, await sourceOf(run));
  // Programs are told of what was left out as well: the text does not show it.
  for (const note of notes) {
    if (typeof note === 'string') session.note(note);
    else session.warn(note.text);
  }
  return exported;
}

async function sourceOf(run: ExportRun): Promise<ExportSource> {
  const {flags, session} = run;
  const {from} = flags;
  if (from !== undefined) return {readFiles: () => readFiles(from, run)};
  const lone = Object.keys(listFlags).find((name) => name in flags);
  if (lone !== undefined) throw new Failure('usage', `--${lone} is for --from`);
  const {client, server} = await run.connection();
  return {client, place: {host: server.host, now: session.io.now()}};
}

/** @throws Failure `usage` for a policy together with anything else; also when one cannot be read */
async function readFiles(names: readonly string[], run: ExportRun): Promise<ExportedFiles> {
  const {session, flags} = run;
  const lists = [];
  for (const given of names) {
    const isRemote = /^https?:\/\//i.test(given);
    const text = isRemote ? textOfBytes(await fetchWaiting(given, session), given) : await session.io.read(given, given);
    const name = given === '-' ? 'standard input' : given;
    const read = await run.readPolicyOrList(name, text);
    if ('list' in read) {
      lists.push({name, list: read.list});
      continue;
    }
    if (names.length > 1) throw new Failure('usage', `${name} is a policy`, {hint: '--from takes one policy, or any number of lists'});
    refuseUseless(flags, [read.given], name);
    return {name, given: read.given};
  }
  return {lists};
}
