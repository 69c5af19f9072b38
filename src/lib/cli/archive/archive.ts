/** What `dm export` does: exports conversations, and checks what was exported. */
import {kinds} from '../../api/kinds.js';
import type {CommandRun} from '../command.js';
import {collectTargets, prepareTargets, tellOrigin} from '../endpoint/targets.js';
import {type AccountsFlags, refuseTogether, type TimeSpan} from '../flags.js';
import {printingOfOwn, type Result} from '../sink.js';
import {Failure} from '../../client/failure.js';
import {isIdentifier} from '../../client/request.js';
import {conversationName} from '../../operations/account-name.js';

interface ArchiveFlags extends AccountsFlags {
  readonly to?: string | undefined;
  readonly hidden: boolean;
  readonly since?: TimeSpan | undefined;
  readonly 'new-only': boolean;
  readonly 'no-media': boolean;
  readonly 'max-size'?: number | undefined;
  readonly verify: boolean;
  readonly 'dry-run': boolean;
  readonly from?: string | undefined;
  readonly column?: string | undefined;
  readonly 'skip-invalid': boolean;
}

/** Flags that leave nothing to do for others. */
const contradictions = {
  'no-media': ['max-size'],
  verify: ['dry-run', 'new-only', 'since', 'max-size'],
  'dry-run': ['max-size'],
} as const;

/** What `dm export` does with ids of conversations, or the accounts that they are with; undefined: all. @throws Failure `usage` for what is wrong */
export async function archive({
  args: {ID: ids},
  flags,
  session,
  opened,
}: CommandRun<{readonly ID?: readonly string[] | undefined}, ArchiveFlags>): Promise<Result | void> {
  refuseTogether(flags, contradictions);
  const {to = '', 'no-media': noMedia, 'dry-run': isDryRun} = flags;
  if (to === '') throw new Failure('usage', 'Missing: --to', {hint: 'name the folder of the archive: --to DIR'});
  const {exportAccounts, exportedView} = await import('./export.js');
  const {verifiedView, verifyArchives} = await import('./verify.js');
  const printing = await printingOfOwn(flags.verify ? verifiedView : exportedView, session);
  const collected = await collectTargets(ids ?? [], {
    wanted: {kind: kinds.conversation, column: flags.column},
    from: flags.from,
    io: session.io,
  });
  const targets = prepareTargets(collected, {
    prepare: ({value = ''}) => nameOf(value),
    keyOf: (name) => name.toLowerCase(),
    skipInvalid: flags['skip-invalid'],
    warn: (text) => session.warn(text),
  });
  const named = ids !== undefined || flags.from !== undefined ? targets : undefined;
  if (flags.verify) return verifyArchives({to, named, withMedia: !noMedia}, {session, printing});
  // A dry run looks accounts up: it only writes nothing.
  const reading = session.with({'dry-run': false});
  return exportAccounts(
    {
      to,
      named,
      withHidden: flags.hidden,
      since: flags.since && new Date(flags.since.first),
      onlyNew: flags['new-only'],
      isDryRun,
      withMedia: !noMedia,
      maxSize: flags['max-size'],
    },
    {flags, session: reading, opened, check: (connection) => tellOrigin(collected.origin, connection)},
  );
}

/** @throws Failure `usage` for what is neither an id nor the name of an account */
function nameOf(text: string): string {
  const name = conversationName(text);
  if (isIdentifier(name)) return name;
  throw new Failure('usage', `"${text}" is not the id of a conversation`, {hint: 'use an id that `pixelctl dm list` prints, or @user'});
}
