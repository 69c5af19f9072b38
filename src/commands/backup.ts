import {Flags} from '@oclif/core';
import {openAccounts} from '../lib/cli/accounts.js';
import {PixelctlCommand} from '../lib/cli/command.js';
import {accountsFlags, sizeFlag} from '../lib/cli/flags.js';
import {printingOf} from '../lib/cli/printing.js';
import {Failure} from '../lib/client/failure.js';
import {holding, pathsOf} from '../lib/policy/sections/index.js';

export default class Backup extends PixelctlCommand {
  static override summary = 'Back up messages, blocks, mutes, domain blocks and filters to a folder';
  static override description = `Writes each list as the server sent it and in a form that other programs import, all lists as a policy, from which restore makes them again, and the messages as dm export does. README.md in the folder says what is what, and what no restore brings back.

Run it again with the same folder: lists are replaced with what is on the server now, and messages are added. What could not be read stays as it was, and the exit status is 11. What a server does not offer is left out, with a note: for messages of servers before 2026, name the accounts with dm export --to DIR/messages.

The folder belongs to one account, and nobody else can read it. With several profiles, each account has a folder of its own in it. --admin adds the domains that the server itself blocks.

With --json: {"list", "items", "files", "left_out", "error"} for each list and for the messages. left_out names what no policy can express, and only the server's own JSON has.

Reads GET ${pathsOf(holding)}, and what dm export reads. It needs a token with the scope read, and for --admin that of an admin.`;
  static override usage = '<%= command.id %> --to DIR [flags]';
  static override flags = {
    to: Flags.string({description: 'the folder; it is created', helpValue: 'DIR', required: true}),
    admin: Flags.boolean({description: 'also the domains that the server blocks, with the token of an admin'}),
    hidden: Flags.boolean({description: 'messages of hidden conversations too'}),
    'no-messages': Flags.boolean({description: 'no messages'}),
    'no-media': Flags.boolean({description: 'do not fetch photos and videos'}),
    'max-size': sizeFlag({
      description: 'fetch no more photos and videos than fit into this size, all in the folder together',
      helpValue: 'SIZE',
    }),
    ...accountsFlags,
  };
  static override examples = [
    {description: 'Back up the account in use', command: '<%= config.bin %> backup --to backup'},
    {description: 'Back up the lists alone', command: '<%= config.bin %> backup --to lists --no-messages --json'},
  ];

  override async run(): Promise<void> {
    const {flags, session} = await this.startForAccounts(Backup);
    const {to, hidden, 'no-messages': noMessages, 'no-media': noMedia, 'max-size': maxSize} = flags;
    if (to === '') throw new Failure('usage', '--to needs the name of a folder');
    const other = hidden ? 'hidden' : noMedia ? 'no-media' : maxSize === undefined ? undefined : 'max-size';
    if (noMessages && other !== undefined) throw new Failure('usage', `--no-messages and --${other} cannot be used together`);
    if (noMedia && maxSize !== undefined) throw new Failure('usage', '--no-media and --max-size cannot be used together');
    const printing = await printingOf(session);
    await using accounts = await openAccounts(flags, session);
    const {backUpAccounts} = await import('../lib/cli/backup.js');
    await backUpAccounts(
      {to, withServer: flags.admin, messages: noMessages ? undefined : {withHidden: hidden, withMedia: !noMedia, maxSize}},
      {accounts, session, printing},
    );
  }
}
