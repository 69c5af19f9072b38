import {Args} from '@oclif/core';
import {completionScript, shells} from '../lib/cli/completion/script.js';
import {PixelctlCommand} from '../lib/cli/command.js';

export default class Completion extends PixelctlCommand {
  static override summary = 'Print a shell completion script';
  static override description = `The script completes commands, flags, known values, and file names. It is static: completion does not start pixelctl, contact a server or read a token. Print the script again after an update.

Save it where the shell looks for completion scripts, as the examples show; the folder must exist. bash needs the package bash-completion; without it, save the script anywhere and source it in ~/.bashrc. For zsh, add the folder to fpath in ~/.zshrc before compinit is called: fpath=(~/.zsh/completions $fpath).`;
  static override usage = '<%= command.id %> SHELL';
  static override args = {
    // Not required of the parser: what is missing is told together with the names there are.
    SHELL: Args.string({description: `shell:  ${shells.join(', ')}`, ignoreStdin: true}),
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
    await this.io.write(await completionScript(args.SHELL, this.config), 'data');
  }
}
