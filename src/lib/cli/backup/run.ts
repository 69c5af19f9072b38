/** What `backup` does: backs up accounts, or checks backups. */
import {type AccountsFlags, refuseTogether} from '../flags.js';
import type {CommandRun, ParsedValues} from '../command.js';
import {printingOfOwn, type Result} from '../sink.js';
import {Failure} from '../../client/failure.js';

interface BackupFlags extends AccountsFlags {
  readonly to: string;
  readonly hidden: boolean;
  readonly 'no-messages': boolean;
  readonly 'no-media': boolean;
  readonly 'max-size'?: number | undefined;
  readonly admin: boolean;
  readonly 'accept-loss': boolean;
  readonly verify: boolean;
}

/** Flags that leave nothing to do for others. */
const contradictions = {
  'no-messages': ['hidden', 'no-media', 'max-size'],
  'no-media': ['max-size'],
  verify: ['accept-loss', 'max-size'],
};

/** @throws Failure `usage` for what is wrong; `partial` or `drift` as a backup ends */
export async function backUp({flags, session, opened}: CommandRun<ParsedValues, BackupFlags>): Promise<Result | void> {
  const {to, hidden, 'no-messages': noMessages, 'no-media': noMedia, 'max-size': maxSize} = flags;
  if (to === '') throw new Failure('usage', '--to needs the name of a folder');
  refuseTogether(flags, contradictions);
  if (flags.verify) {
    const {verifiedBackupView, verifyBackups} = await import('./verify.js');
    const printing = await printingOfOwn(verifiedBackupView, session);
    return verifyBackups({to, withMessages: !noMessages, withMedia: !noMedia}, {session, printing});
  }
  const {backupView, backUpAccounts} = await import('./backup.js');
  await printingOfOwn(backupView, session);
  return backUpAccounts(
    {
      to,
      withServer: flags.admin,
      acceptsLoss: flags['accept-loss'],
      messages: noMessages ? undefined : {withHidden: hidden, withMedia: !noMedia, maxSize},
    },
    {flags, session, opened},
  );
}
