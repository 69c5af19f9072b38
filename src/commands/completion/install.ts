import {PixelctlCommand} from '../../lib/cli/command.js';
import {shells} from '../../lib/cli/completion/script.js';
import {installCompletion, setUpFlags} from '../../lib/cli/completion/set-up.js';

export default class CompletionInstall extends PixelctlCommand {
  static override summary = 'Install shell completion';
  static override description =
    'Writes the completion script where the shell looks for it, and asks before it changes a settings file. It can be run again at any time.';
  static override details = `Writes the completion script where the shell looks for it. For bash, that is ~/.local/share/bash-completion/completions/pixelctl; for fish, ~/.config/fish/completions/pixelctl.fish. zsh and PowerShell also need a line in their settings file, .zshrc or the profile. The command asks before it adds that line, and adds it once.

The shell is the one that SHELL names, unless --shell names another.`;
  static override usage = '<%= command.id %> [flags]';
  static override flags = setUpFlags;
  static knownValues = {shell: shells};
  static override examples = [
    {description: 'Install completion for your shell', command: '<%= config.bin %> completion install'},
    {description: 'Show what would be written for zsh', command: '<%= config.bin %> completion install --shell zsh --dry-run'},
  ];

  override async run(): Promise<void> {
    const {flags, session} = await this.start(CompletionInstall);
    await installCompletion(flags, session);
  }
}
