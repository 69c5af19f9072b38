import {PixelctlCommand} from '../lib/cli/command.js';
import {printDocument, printingOfOwn} from '../lib/cli/printing.js';

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
    const [{commandList, commandsView}, {ProgramConfig}] = await Promise.all([
      import('../lib/cli/shell/command-list.js'),
      import('../lib/cli/shell/config.js'),
    ]);
    await printingOfOwn(commandsView, session);
    const {config} = this;
    if (!(config instanceof ProgramConfig)) throw new Error('The program was not started by its own entry point');
    await printDocument(await commandList(config), {view: commandsView, rows: ['commands']}, session);
  }
}
