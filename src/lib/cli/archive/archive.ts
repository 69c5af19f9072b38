/** What `dm export` does: exports conversations, and checks what was exported. */
import {Flags} from '@oclif/core';
import {openAccounts} from '../accounts.js';
import {collectTargets, prepareTargets, tellOrigin} from '../endpoint/targets.js';
import {type AccountsFlags, givenIn, refuseTogether} from '../flags.js';
import {printingOfOwn} from '../sink.js';
import type {Session} from '../session.js';
import type {ListView} from '../../api/view.js';
import {Failure} from '../../client/failure.js';
import {isIdentifier} from '../../client/request.js';
import {conversationName} from '../../operations/account-name.js';

/** A date, or a time in UTC. */
export const dateFlag = Flags.custom<Date>({
  parse: async (text, _, {name}) => {
    const {dateOf} = await import('../../policy/model/time.js');
    const date = dateOf(text);
    if (date === undefined) throw new Failure('usage', `--${name} takes a date, as in 2026-01-31, or a time in UTC`);
    return date;
  },
});

interface ArchiveFlags extends AccountsFlags {
  readonly to?: string | undefined;
  readonly hidden: boolean;
  readonly since?: Date | undefined;
  readonly 'new-only': boolean;
  readonly 'drop-missing': boolean;
  readonly 'allow-drops'?: number | undefined;
  readonly repair: boolean;
  readonly 'no-media': boolean;
  readonly 'max-size'?: number | undefined;
  readonly verify: boolean;
  readonly offline: boolean;
  readonly from?: string | undefined;
  readonly column?: string | undefined;
  readonly 'skip-invalid': boolean;
}

/** Flags that leave nothing to do for others. */
const contradictions = {
  'new-only': ['drop-missing'],
  'no-media': ['max-size'],
  verify: ['new-only', 'drop-missing', 'repair', 'max-size'],
  offline: ['since'],
} as const;

/** Flags that do nothing without another one. */
const dependent = [
  ['offline', 'verify'],
  ['allow-drops', 'drop-missing'],
] as const;

/** @throws Failure `usage` */
function refuseContradictions(flags: ArchiveFlags): void {
  refuseTogether(flags, contradictions);
  const isGiven = givenIn(flags);
  const lonely = dependent.find(([one, other]) => isGiven(one) && !isGiven(other));
  if (lonely !== undefined) throw new Failure('usage', `--${lonely[0]} needs --${lonely[1]}`);
  if (flags.to === undefined || flags.to === '')
    throw new Failure('usage', 'Missing: --to', {hint: 'name the folder of the archive: --to DIR'});
}

/** What is printed. */
async function viewOf({verify}: Pick<ArchiveFlags, 'verify'>): Promise<ListView> {
  return verify ? (await import('./verify.js')).verifiedView : (await import('./export.js')).exportedView;
}

/** @param ids of conversations, or the accounts that they are with; undefined: all @throws Failure `usage` for what is wrong; as a run */
export async function archive(ids: readonly string[] | undefined, flags: ArchiveFlags, session: Session): Promise<void> {
  refuseContradictions(flags);
  const printing = await printingOfOwn(await viewOf(flags), session);
  const collected = await collectTargets(ids ?? [], {
    wanted: {kind: 'conversation', column: flags.column},
    from: flags.from,
    io: session.io,
  });
  const isNamed = ids !== undefined || flags.from !== undefined;
  const named = prepareTargets(collected, {
    prepare: ({value = ''}) => nameOf(value),
    keyOf: (name) => name.toLowerCase(),
    skipInvalid: flags['skip-invalid'],
    warn: (text) => session.warn(text),
  });
  const {to = ''} = flags;
  if (flags.offline) {
    const {checkFolder} = await import('./verify.js');
    return checkFolder({to, named: isNamed ? named : undefined, withMedia: !flags['no-media']}, {session, printing});
  }
  await using accounts = await openAccounts(flags, session);
  for (const {connection} of accounts.members) await tellOrigin(collected.origin, connection);
  const wanted = {named: isNamed ? named : undefined, withHidden: flags.hidden};
  const around = {accounts, session, printing};
  if (flags.verify) {
    const {verifyAccounts} = await import('./verify.js');
    return verifyAccounts({...wanted, to, since: flags.since, withMedia: !flags['no-media']}, around);
  }
  const {exportAccounts} = await import('./export.js');
  await exportAccounts(
    {
      ...wanted,
      to,
      range: {since: flags.since},
      onlyNew: flags['new-only'],
      repairs: flags.repair,
      drops: flags['drop-missing'] ? {allowed: flags['allow-drops']} : undefined,
      withMedia: !flags['no-media'],
      maxSize: flags['max-size'],
    },
    around,
  );
}

/** @throws Failure `usage` for what is neither an id nor the name of an account */
function nameOf(text: string): string {
  const name = conversationName(text);
  if (isIdentifier(name)) return name;
  throw new Failure('usage', `"${text}" is not the id of a conversation`, {hint: 'use an id that `pixelctl dm list` prints, or @user'});
}
