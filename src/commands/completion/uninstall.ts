import {PixelctlCommand} from '../../lib/cli/command.js';
import {placeFor, removing, shellFor} from '../../lib/cli/completion/install.js';
import {shells} from '../../lib/cli/completion/script.js';
import {setUp, setUpFlags} from '../../lib/cli/completion/set-up.js';

export default class CompletionUninstall extends PixelctlCommand {
  static override summary = 'Remove shell completion';
  static override description = `Removes what \`pixelctl completion install\` wrote: the script, and the line in the settings file of zsh or PowerShell. Other files and lines stay as they are.`;
  static override usage = '<%= command.id %> [flags]';
  static override flags = setUpFlags;
  static knownValues = {shell: shells};
  static override examples = [
    {description: 'Remove completion from your shell', command: '<%= config.bin %> completion uninstall'},
    {description: 'Show what would be removed from fish', command: '<%= config.bin %> completion uninstall --shell fish --dry-run'},
  ];

  override async run(): Promise<void> {
    const {flags, session} = await this.start(CompletionUninstall);
    const place = await placeFor(shellFor(flags.shell, this.io.env), this.io.env);
    const isDone = await setUp(await removing(place), session);
    if (isDone === 'nothing') session.note(`Completion for ${place.shell} is not installed.`);
    if (isDone === 'done') session.note(`Removed completion for ${place.shell}. Shells that are running keep it until they end.`);
  }
}
