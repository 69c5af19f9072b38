import {Args, Flags} from '@oclif/core';
import {openAccounts} from '../../lib/cli/accounts.js';
import {PixelctlCommand} from '../../lib/cli/command.js';
import {accountsFlags, numberFlag, sizeFlag, targetFlags} from '../../lib/cli/flags.js';
import {collectTargets, prepareTargets, tellOrigin} from '../../lib/cli/endpoint/targets.js';
import {printingOf} from '../../lib/cli/printing.js';
import {Failure} from '../../lib/client/failure.js';
import {isIdentifier} from '../../lib/client/request.js';
import {conversationName} from '../../lib/operations/account-name.js';

const dateFlag = Flags.custom<Date>({
  parse: async (text, _, {name}) => {
    const {dateOf} = await import('../../lib/policy/model/time.js');
    const date = dateOf(text);
    if (date === undefined) throw new Failure('usage', `--${name} takes a date, as in 2026-01-31, or a time in UTC`);
    return date;
  },
});

export default class DmExport extends PixelctlCommand {
  static override summary = 'Export conversations to a folder';
  static override description = `Writes every message of the conversations that are named, or without a name of all in the inbox and among the requests, and with --hidden of the hidden ones too. In the folder there are the server's own JSON of each message, photos and videos, and pages to read in a browser without a network: open index.html.

Run it again to add what is new. All pages are read again; messages that the server no longer shows are marked, and stay. Of a message that was edited, the earlier versions stay too. --new-only stops at the newest known message, and marks nothing.

The folder belongs to one account, and nobody else can read it. With several profiles, each account has a folder of its own in it. What was read is kept, whatever interrupts the run: run the same command again to do the rest.

Servers before 2026 have no conversations. There, name the accounts: of each thread, the server shows the last messages only, and it is marked as incomplete.

With --json: {"id", "type": "conversation|thread", "with", "folder", "messages", "missing", "media", "bytes", "absent_media", "first_id", "last_id", "last_at", "new", "changed", "gone", "dropped", "new_media", "failed_media", "media_errors": [{"message_id", "media_id", "error"}], "incomplete", "dates_out_of_order", "error"} for each conversation: messages, missing and media are those in the folder; new, changed, gone, dropped, new_media, failed_media and media_errors (the first 100) are of this run. The exit status is 11 when a conversation or a file failed.

--verify compares the folder with the server: {"id", "with", "server": {"messages", "first_id", "last_id"}, "archive": {"messages", "first_id", "last_id"}, "missing", "gaps": [{"after", "before", "messages"}], "changed", "deleted", "media", "media_missing", "media_damaged", "damaged_files", "error"} for each conversation, and exit status 10 when messages or files are missing or damaged. A run without --new-only fetches these files again. --estimate prints {"conversations", "messages", "exact", "media", "requests", "minutes"}.

Reads GET /api/v1.1/direct/conversations and GET /api/v1.1/direct/conversations/{id}/messages, on older servers GET /api/v1.1/direct/thread, and fetches the files that messages name. It needs a token with the scope read.`;
  static override usage = '<%= command.id %> [ID...] --to DIR [flags]';
  static override args = {
    ID: Args.string({
      name: 'ID',
      description: 'ids of conversations, or accounts that they are with (-: standard input); all by default',
      multiple: true,
      required: false,
      ignoreStdin: true,
    }),
  };
  static override flags = {
    to: Flags.string({description: 'the folder; it is created', helpValue: 'DIR'}),
    hidden: Flags.boolean({description: 'export hidden conversations too'}),
    since: dateFlag({description: 'only messages sent on this date or later (UTC)', helpValue: 'DATE'}),
    'max-messages': numberFlag({description: 'only the newest N messages of each conversation', helpValue: 'N'}, {least: 1, whole: true}),
    'new-only': Flags.boolean({description: 'stop at the newest known message of each conversation, and mark nothing as missing'}),
    'drop-missing': Flags.boolean({description: 'forget messages that the server no longer shows'}),
    'no-media': Flags.boolean({description: 'do not fetch photos and videos'}),
    'max-size': sizeFlag({
      description: 'fetch no more photos and videos than fit into this size, all in the folder together',
      helpValue: 'SIZE',
    }),
    estimate: Flags.boolean({description: 'say how many conversations, messages and requests it is likely to be, and write nothing'}),
    verify: Flags.boolean({description: 'compare the folder with the server, and change nothing'}),
    from: targetFlags.from,
    'skip-invalid': targetFlags['skip-invalid'],
    ...accountsFlags,
  };
  static listed = {ID: 'list conversations'};
  static override examples = [
    {description: 'Export all conversations', command: '<%= config.bin %> dm export --to messages'},
    {description: 'Export one conversation, without photos', command: '<%= config.bin %> dm export @bob --to messages --no-media'},
    {
      description: 'Add what is new since the last run',
      command: '<%= config.bin %> dm export --to messages --new-only',
    },
    {description: 'Say how much an export is likely to be', command: '<%= config.bin %> dm export --estimate'},
    {description: 'Check that nothing is missing', command: '<%= config.bin %> dm export --to messages --verify'},
    {
      description: 'Export message requests only',
      command: '<%= config.bin %> dm list --filter requests -o ndjson | <%= config.bin %> dm export - --to requests',
    },
  ];

  override async run(): Promise<void> {
    const {args, flags, session} = await this.startForAccounts(DmExport);
    refuseContradictions(flags);
    const printing = await printingOf(session);
    const collected = await collectTargets(args.ID ?? [], {wanted: 'conversation', from: flags.from, io: session.io});
    const isNamed = args.ID !== undefined || flags.from !== undefined;
    const named = prepareTargets(collected, {
      prepare: ({value = ''}) => nameOf(value),
      keyOf: (name) => name.toLowerCase(),
      skipInvalid: flags['skip-invalid'],
      warn: (text) => session.warn(text),
    });
    await using accounts = await openAccounts(flags, session);
    for (const {connection} of accounts.members) await tellOrigin(collected.origin, connection);
    const wanted = {named: isNamed ? named : undefined, withHidden: flags.hidden};
    const around = {accounts, session, printing};
    if (flags.estimate) return (await import('../../lib/cli/archive-verify.js')).estimateAccounts(wanted, around);
    const {to = ''} = flags;
    if (flags.verify) {
      const {verifyAccounts} = await import('../../lib/cli/archive-verify.js');
      return verifyAccounts({...wanted, to, since: flags.since, withMedia: !flags['no-media']}, around);
    }
    const {exportAccounts} = await import('../../lib/cli/archive-export.js');
    await exportAccounts(
      {
        ...wanted,
        to,
        range: {since: flags.since, most: flags['max-messages']},
        onlyNew: flags['new-only'],
        dropsMissing: flags['drop-missing'],
        withMedia: !flags['no-media'],
        maxSize: flags['max-size'],
      },
      around,
    );
  }
}

/** Pairs of flags of which one leaves nothing to do for the other. */
const contradictions: readonly (readonly [string, string])[] = [
  ['new-only', 'drop-missing'],
  ['no-media', 'max-size'],
  ['estimate', 'verify'],
  ...['since', 'max-messages', 'new-only', 'drop-missing', 'no-media', 'max-size'].map((other) => ['estimate', other] as const),
  ...['max-messages', 'new-only', 'drop-missing', 'max-size'].map((other) => ['verify', other] as const),
];

/** @throws Failure `usage` */
function refuseContradictions(flags: Readonly<Record<string, unknown>>): void {
  const isGiven = (name: string) => flags[name] !== undefined && flags[name] !== false;
  const found = contradictions.find(([one, other]) => isGiven(one) && isGiven(other));
  if (found !== undefined) throw new Failure('usage', `--${found[0]} and --${found[1]} cannot be used together`);
  if (flags['estimate'] !== true && (flags['to'] === undefined || flags['to'] === ''))
    throw new Failure('usage', 'Missing: --to', {hint: 'name the folder of the archive: --to DIR'});
}

/** @throws Failure `usage` for what is neither an id nor the name of an account */
function nameOf(text: string): string {
  const name = conversationName(text);
  if (isIdentifier(name)) return name;
  throw new Failure('usage', `"${text}" is not the id of a conversation`, {hint: 'use an id that `pixelctl dm list` prints, or @user'});
}
