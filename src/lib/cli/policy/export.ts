/** What `export` does: prints an account, a policy or lists as a policy, or as a list for another tool. */
import {membersOf} from '../../api/schema.js';
import {type PolicyFlags, refuseForOther, refuseUseless} from './flags.js';
import {fetchWaiting, listFlags} from './list-access.js';
import {readPolicyOrList} from './reading.js';
import type {PolicyRun} from './run.js';
import {printResult} from '../print-result.js';
import {printingOf} from '../sink.js';
import type {Session} from '../session.js';
import {Failure} from '../../client/failure.js';
import {textOfBytes} from '../../files/text.js';
import {
  exportAccount,
  type ExportChoice,
  type Exported,
  exportLists,
  exportWanted,
  isDomainTableFormat,
  listFormats,
  readSections,
  refuseOthersThanDomains,
  sectionKeys,
  sectionsToExport,
  whyNothingPrivate,
} from '../../policy/index.js';

type ExportFlags = PolicyFlags & {readonly as?: string | undefined; readonly from?: readonly string[] | undefined};

/** @throws Failure `usage` for what the format cannot hold; that of what cannot be read */
export async function printExport(run: PolicyRun<ExportFlags>): Promise<void> {
  const {flags, session} = run;
  const format = listFormats.find((one) => one === flags.as);
  const setting = await printingOf(session, format !== undefined && isDomainTableFormat(format));
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
    return print(await exportFrom(flags.from, choice, run), format, session);
  }
  const lone = Object.keys(listFlags).find((name) => name in flags);
  if (lone !== undefined) throw new Failure('usage', `--${lone} is for --from`);
  const {client, server} = await run.connection();
  const place = {host: server.host, now: session.io.now()};
  await print(exportAccount(await readSections(client, keys, place), choice, place), format, session);
}

async function print({text, json, leftOut, hidden, absent}: Exported, format: string | undefined, session: Session): Promise<void> {
  for (const what of absent) session.note(`left out: ${what}`);
  if (hidden !== undefined) session.warn(`left out, because it is private: ${hidden}; --show-private includes it`);
  for (const what of leftOut) session.warn(`left out, because ${format ?? 'a policy'} cannot express it: ${what}`);
  if (format !== undefined) await session.io.write(text, 'data');
  else await printResult({document: async () => membersOf(JSON.parse(json ?? '{}')), plain: () => text}, session);
}

async function textAt(name: string, session: Session): Promise<string> {
  if (!/^https?:\/\//i.test(name)) return session.io.read(name, name);
  return textOfBytes(await fetchWaiting(name, session), name);
}

/** The domains of a policy, or of lists. @throws Failure `usage` for a policy beside anything else, and as both are read */
async function exportFrom(names: readonly string[], choice: ExportChoice, {flags, session}: PolicyRun): Promise<Exported> {
  const lists = [];
  for (const given of names) {
    const text = await textAt(given, session);
    const name = given === '-' ? 'standard input' : given;
    const read = await readPolicyOrList(name, text, flags, session);
    if ('list' in read) {
      refuseForOther(flags, ['allow-remote-lists', 'allow-outside'], `${name} is a list`);
      lists.push({name, list: read.list});
      continue;
    }
    if (names.length > 1) throw new Failure('usage', `${name} is a policy`, {hint: '--from takes one policy, or any number of lists'});
    refuseUseless(flags, [read.given], name);
    return exportWanted(read.given, name, choice);
  }
  return exportLists(lists, choice);
}
