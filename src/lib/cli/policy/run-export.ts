/** What `export` does: writes an account, a policy or lists as a policy, or as a list for another tool. */
import {type PolicyFlags, refuseUseless} from './policy-flags.js';
import {fetchWaiting, listFlags} from './list-access.js';
import type {PolicyRun} from './policy-run.js';
import type {Result} from '../sink.js';
import {Failure} from '../../client/failure.js';
import {textOfBytes} from '../../files/read-text.js';
import {
  exportAccount,
  type ExportChoice,
  type Exported,
  exportLists,
  exportWanted,
  listFormats,
  readSections,
  refuseOthersThanDomains,
  sectionKeys,
  sectionsToExport,
} from '../../policy/index.js';

type ExportRun = PolicyRun<PolicyFlags & {readonly as?: string | undefined; readonly from?: readonly string[] | undefined}>;

/** @throws Failure `usage` when the format cannot hold a section; also when something cannot be read */
export async function exportAs(run: ExportRun): Promise<Result> {
  const {flags, session, printing: setting} = run;
  const format = listFormats.find((one) => one === flags.as);
  const only = sectionKeys.filter((key) => flags.only?.includes(key));
  const choice: ExportChoice = {format, only, showsPrivate: flags['show-private'] === true, setting};
  const keys = sectionsToExport(choice);
  if (session.traits.isRows)
    throw new Failure('usage', `Cannot export as ${session.format}`, {
      hint: 'a policy is YAML, or JSON with --json; choose a list format with --as',
    });
  if (flags.from !== undefined) {
    refuseOthersThanDomains(choice);
    return tellLeftOut(await exportFrom(flags.from, choice, run), run);
  }
  const lone = Object.keys(listFlags).find((name) => name in flags);
  if (lone !== undefined) throw new Failure('usage', `--${lone} is for --from`);
  const {client, server} = await run.connection();
  const place = {host: server.host, now: session.io.now()};
  return tellLeftOut(exportAccount(await readSections(client, keys, place), choice, place), run);
}

/** Says what was left out, to programs as well: the text does not show it. */
function tellLeftOut({notes, ...exported}: Exported, {session}: ExportRun): Result {
  for (const note of notes) {
    if (typeof note === 'string') session.note(note);
    else session.warn(note.text);
  }
  return exported;
}

async function textAt(name: string, {session}: ExportRun): Promise<string> {
  if (!/^https?:\/\//i.test(name)) return session.io.read(name, name);
  return textOfBytes(await fetchWaiting(name, session), name);
}

/** Exports the domains of a policy, or of lists. @throws Failure `usage` for a policy together with anything else; also when one cannot be read */
async function exportFrom(names: readonly string[], choice: ExportChoice, run: ExportRun): Promise<Exported> {
  const lists = [];
  for (const given of names) {
    const text = await textAt(given, run);
    const name = given === '-' ? 'standard input' : given;
    const read = await run.readPolicyOrList(name, text);
    if ('list' in read) {
      lists.push({name, list: read.list});
      continue;
    }
    if (names.length > 1) throw new Failure('usage', `${name} is a policy`, {hint: '--from takes one policy, or any number of lists'});
    refuseUseless(run.flags, [read.given], name);
    return exportWanted(read.given, name, choice);
  }
  return exportLists(lists, choice);
}
