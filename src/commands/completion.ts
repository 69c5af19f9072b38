import {Args} from '@oclif/core';
import {completionScript, shellNamed, shells} from '../lib/cli/completion/script.js';
import {PixelctlCommand} from '../lib/cli/command.js';

export default class Completion extends PixelctlCommand {
  static override summary = 'Print a shell completion script';
  static override description =
    'Prints a script that completes commands, flags, values, profiles and files with the Tab key. The examples save it where the shell looks for it.';
  static override details = `The script asks pixelctl, so it stays up to date. Completion reads no token and contacts no server.

Save it as the examples show; the folder must exist. bash needs the package bash-completion; without it, save the script anywhere and source it in ~/.bashrc. For zsh, add the folder to fpath in ~/.zshrc before compinit is called: fpath=(~/.zsh/completions $fpath). For PowerShell, save it anywhere, and source it in the file that $PROFILE names.`;
  static override usage = '<%= command.id %> SHELL';
  static override args = {
    // Not required of the parser: what is missing is told together with the names there are.
    SHELL: Args.string({description: new Intl.ListFormat('en', {type: 'disjunction'}).format(shells), ignoreStdin: true}),
  };
  static knownValues = {SHELL: shells};
  static override examples = [
    {description: 'Install for bash', command: '<%= config.bin %> completion bash > ~/.local/share/bash-completion/completions/pixelctl'},
    {description: 'Install for zsh', command: '<%= config.bin %> completion zsh > ~/.zsh/completions/_pixelctl'},
    {description: 'Install for fish', command: '<%= config.bin %> completion fish > ~/.config/fish/completions/pixelctl.fish'},
    {description: 'Use it in the current bash session only', command: 'eval "$(<%= config.bin %> completion bash)"'},
  ];

  override async run(): Promise<void> {
    const {args} = await this.start(Completion);
    await this.io.write(completionScript(shellNamed(args.SHELL)), 'data');
  }
}
