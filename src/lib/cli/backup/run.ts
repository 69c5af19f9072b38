/** What `backup` does: backs up accounts, or lists what backups have. */
import {Flags} from '@oclif/core';
import {openAccounts} from '../accounts.js';
import {type AccountsFlags, areSeveral, refuseTogether} from '../flags.js';
import {printingOfOwn} from '../sink.js';
import type {Session} from '../session.js';
import {Failure} from '../../client/failure.js';

/** Days, all of them as infinity. */
export const daysFlag = Flags.custom<number>({
  parse: async (text, _, {name}) => {
    const [, count, unit = 'd'] = /^(\d{1,6})([dw])?$/.exec(text) ?? [];
    if (count !== undefined) return Number(count) * (unit === 'w' ? 7 : 1);
    if (text === 'all') return Number.POSITIVE_INFINITY;
    throw new Failure('usage', `--${name} takes a number of days, as in 90, 90d or 12w, or all`);
  },
});

interface BackupFlags extends AccountsFlags {
  readonly to: string;
  readonly hidden: boolean;
  readonly 'no-messages': boolean;
  readonly 'no-media': boolean;
  readonly 'max-size'?: number | undefined;
  readonly list: boolean;
  readonly admin: boolean;
  readonly 'accept-loss': boolean;
  readonly repair: boolean;
  readonly keep?: number | undefined;
}

/** Days. */
export const usuallyKept = 30;

const ofMessages = ['hidden', 'no-media', 'max-size'];

/** Flags that leave nothing to do for others. */
const contradictions = {
  'no-messages': ofMessages,
  'no-media': ['max-size'],
  list: ['accept-loss', 'repair', 'keep', 'admin', 'no-messages', ...ofMessages],
};

/** @throws Failure `usage` for what is wrong; `partial` or `drift` as a backup ends */
export async function backUp(flags: BackupFlags, session: Session): Promise<void> {
  const {to, hidden, 'no-messages': noMessages, 'no-media': noMedia, 'max-size': maxSize} = flags;
  if (to === '') throw new Failure('usage', '--to needs the name of a folder');
  refuseTogether(flags, contradictions);
  if (flags.list) {
    const {generationsView, listGenerations} = await import('./list.js');
    const printing = await printingOfOwn(generationsView, session);
    await using accounts = areSeveral(flags) ? await openAccounts(flags, session) : undefined;
    return listGenerations(to, accounts, {session, printing});
  }
  const {backupView, backUpAccounts} = await import('./backup.js');
  const printing = await printingOfOwn(backupView, session);
  await using accounts = await openAccounts(flags, session);
  await backUpAccounts(
    {
      to,
      withServer: flags.admin,
      acceptsLoss: flags['accept-loss'],
      repairs: flags.repair,
      days: flags.keep ?? usuallyKept,
      messages: noMessages ? undefined : {withHidden: hidden, withMedia: !noMedia, maxSize},
    },
    {accounts, session, printing},
  );
}
