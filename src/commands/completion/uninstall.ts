import {PixelctlCommand} from '../../lib/cli/command.js';
import {shells} from '../../lib/cli/completion/script.js';
import {uninstallCompletion, setUpFlags} from '../../lib/cli/completion/set-up.js';

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
    await uninstallCompletion(flags, session);
  }
}
