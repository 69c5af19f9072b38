/** Reads what is named on the command line: policies and lists, and tells people what is left out. */
import {commentsFor, onlyIn, type PolicyFlags} from './flags.js';
import {listAccess} from './list-access.js';
import type {Session} from '../session.js';
import {
  isPolicy,
  type List,
  type ListSummary,
  locationText,
  type PrivateComments,
  readList,
  readPolicy,
  refuseLargeFetched,
  refuseRowMistakes,
  summariesIn,
  summaryOf,
  type PolicyWithLists,
} from '../../policy/index.js';
import {andMore, counted} from '../../json/text.js';

/** How many invalid rows of a list a note names. */
const maxLines = 5;

export interface ReadingOptions {
  /** Of the policy, where it was read already. */
  readonly text?: string | undefined;
  /** Those that are sent by default, all of them with --show-private. */
  readonly comments?: PrivateComments;
}

/**
 * @throws Failure `local` or `usage` for what cannot be read or used
 */
export async function readPolicyAndLists(
  file: string,
  flags: PolicyFlags,
  session: Session,
  {text, comments = commentsFor(flags)}: ReadingOptions = {},
): Promise<PolicyWithLists> {
  const given = await readPolicy(file, listAccess(flags, session), {text, now: session.io.now(), comments});
  noteLists(given.domains, session);
  const only = onlyIn(flags);
  return {...given, ...(only && {only})};
}

/** Reports what of a list is left out, the first invalid rows with their places, and whether it is a copy. */
function noteLeftOut({list, obfuscated, tooMild, tooMildFor, skipped, skippedRows}: ListSummary, session: Session): void {
  const parts = [
    ...(skippedRows > 0 ? [counted(skippedRows, 'invalid entry', 'invalid entries')] : []),
    ...(obfuscated > 0 ? [counted(obfuscated, 'obfuscated entry', 'obfuscated entries')] : []),
    ...(tooMild > 0 ? [`${counted(tooMild, 'entry', 'entries')} ${tooMildFor}`] : []),
  ];
  if (parts.length > 0) session.note(`${list}: skipped ${parts.join(', ')}`);
  for (const {file, line, message} of skipped.slice(0, maxLines)) session.note(`${locationText({file, line})}: ${message}`);
  const rest = skippedRows - maxLines;
  if (rest > 0)
    session.note(
      `${list}: ${andMore(rest)} that are invalid; --json lists ${skippedRows > skipped.length ? `the first ${skipped.length}` : 'all of them'}`,
    );
}

/** Reports what lists leave out. */
function noteLists(domains: PolicyWithLists['domains'], session: Session): void {
  for (const summary of summariesIn(domains)) noteLeftOut(summary, session);
}

/**
 * Reads what is named on the command line: a policy with its lists, or a list, without anything that is not valid. Both have their private
 * comments: what prints them says what it leaves out.
 * @param name of the file or URL that the text is from
 * @throws Failure `local` or `usage` for what cannot be read or used
 */
export async function readPolicyOrList(
  name: string,
  text: string,
  flags: PolicyFlags,
  session: Session,
): Promise<{readonly given: PolicyWithLists} | {readonly list: List}> {
  if (isPolicy(text)) {
    refuseLargeFetched(name, text);
    return {given: await readPolicyAndLists(name, flags, session, {text, comments: 'all'})};
  }
  const list = readList(text, name);
  refuseRowMistakes(list);
  if (list.kind === 'domains') noteLeftOut(summaryOf(list), session);
  return {list};
}
