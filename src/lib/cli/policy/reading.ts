/** Reads what is named on the command line: policies and lists, and tells people what is left out. */
import {commentsFor, onlyIn, type PolicyFlags} from './flags.js';
import {listAccess} from './list-access.js';
import type {Session} from '../session.js';
import {
  isPolicy,
  type List,
  notesOf,
  type PolicyWithLists,
  type PrivateComments,
  readGivenList,
  readPolicy,
  refuseLargeFetched,
} from '../../policy/index.js';

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
  for (const text of notesOf(given)) session.note(text);
  const only = onlyIn(flags);
  return {...given, ...(only && {only})};
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
  const {list, notes} = readGivenList(text, name);
  for (const note of notes) session.note(note);
  return {list};
}
