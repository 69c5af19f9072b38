/** What `export` does: an account, a policy or lists as a policy, or as a list for another tool. */
import {membersOf} from '../../api/schema.js';
import {type PolicyFlags, refuseForOther, refuseUseless} from './policy-flags.js';
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
  whyNothingPrivate,
} from '../../policy/index.js';

type ExportRun = PolicyRun<PolicyFlags & {readonly as?: string | undefined; readonly from?: readonly string[] | undefined}>;

/** @throws Failure `usage` for what the format cannot hold; that of what cannot be read */
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
  const useless = whyNothingPrivate(choice, flags.from === undefined);
  if (useless !== undefined) refuseForOther(flags, ['show-private'], useless);
  if (flags.from !== undefined) {
    refuseOthersThanDomains(choice);
    return resultOf(await exportFrom(flags.from, choice, run), run);
  }
  const lone = Object.keys(listFlags).find((name) => name in flags);
  if (lone !== undefined) throw new Failure('usage', `--${lone} is for --from`);
  const {client, server} = await run.connection();
  const place = {host: server.host, now: session.io.now()};
  return resultOf(exportAccount(await readSections(client, keys, place), choice, place), run);
}

/** A list is text for other programs, whatever the format of output. */
function resultOf({text, json, leftOut, hidden, absent}: Exported, {flags, session}: ExportRun): Result {
  const {as = 'policy'} = flags;
  for (const what of absent) session.note(`left out: ${what}`);
  if (hidden !== undefined) session.warn(`left out, because it is private: ${hidden}; --show-private includes it`);
  for (const what of leftOut) session.warn(`left out, because ${as === 'policy' ? 'a policy' : as} cannot express it: ${what}`);
  return as === 'policy' ? {document: async () => membersOf(JSON.parse(json ?? '{}')), plain: () => text} : {plain: () => text};
}

async function textAt(name: string, {session}: ExportRun): Promise<string> {
  if (!/^https?:\/\//i.test(name)) return session.io.read(name, name);
  return textOfBytes(await fetchWaiting(name, session), name);
}

/** The domains of a policy, or of lists. @throws Failure `usage` for a policy beside anything else, and as both are read */
async function exportFrom(names: readonly string[], choice: ExportChoice, run: ExportRun): Promise<Exported> {
  const lists = [];
  for (const given of names) {
    const text = await textAt(given, run);
    const name = given === '-' ? 'standard input' : given;
    const read = await run.readPolicyOrList(name, text);
    if ('list' in read) {
      refuseForOther(run.flags, ['allow-remote-lists', 'allow-outside'], `${name} is a list`);
      lists.push({name, list: read.list});
      continue;
    }
    if (names.length > 1) throw new Failure('usage', `${name} is a policy`, {hint: '--from takes one policy, or any number of lists'});
    refuseUseless(run.flags, [read.given], name);
    return exportWanted(read.given, name, choice);
  }
  return exportLists(lists, choice);
}
