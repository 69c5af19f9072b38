/** Tells people what is to be known of accounts: what holds for several of them once, with their names. */
import type {PerAccount} from '../accounts.js';
import {notePart} from './part.js';
import type {Session} from '../session.js';
import {type Remarks, remarkTexts, skippedTexts} from '../../policy/index.js';

export function warnOfAccounts(accounts: Parameters<typeof remarkTexts>[0], session: Session): void {
  for (const text of remarkTexts(accounts)) session.warn(text);
}

export function noteSkippedOf(accounts: Parameters<typeof skippedTexts>[0], session: Session): void {
  // There may be very much of it to sort.
  if (session.traits.hasNotes) for (const text of skippedTexts(accounts)) session.note(text);
}

/** For people; the JSON of a plan has it for programs. What holds for several accounts is said once, with their names. */
export function noteRemarks(all: readonly PerAccount<Remarks>[], session: Session): void {
  if (!session.traits.hasNotes) return;
  notePart(all[0]?.value.part, session);
  noteSkippedOf(
    all.map(({member: {account, owner}, value: {skipped = []}}) => ({account, owner, skipped})),
    session,
  );
  warnOfAccounts(
    all.map(({member: {account, owner}, value: {limits}}) => ({account, owner, remarks: limits.map((why) => ({why}))})),
    session,
  );
}
