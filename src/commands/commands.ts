import {PixelctlCommand} from '../lib/cli/command.js';

export default class Commands extends PixelctlCommand {
  static override summary = 'List all commands';
  static override description =
    'With --json, each command comes with its arguments and flags, the requests it sends, the scopes it needs, whether it writes, asks and can be repeated, and its exit statuses. Nothing is sent.';
  static override usage = '<%= command.id %> [flags]';
  static override examples = [
    {description: 'List all commands', command: '<%= config.bin %> commands'},
    {
      description: 'Print the commands that change something on the server',
      command: "<%= config.bin %> commands --jq '.commands[] | select(.writes) | .command'",
    },
  ];

  override async run(): Promise<void> {
    const {session} = await this.start(Commands);
    await (await import('../lib/cli/command-list/command-list.js')).printCommands(this.config, session);
  }
}
