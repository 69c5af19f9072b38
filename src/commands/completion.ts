import {Args} from '@oclif/core';
import {completionScript, shells} from '../lib/cli/completion/script.js';
import {PixelctlCommand} from '../lib/cli/command.js';

export default class Completion extends PixelctlCommand {
  static override summary = 'Print a completion script for your shell';
  static override description = `The script completes commands, flags, the values that are known for them, and files. It is static text: completing starts no pixelctl, asks no server and reads no token. Print it again after an update.

It is saved where the shell looks for such scripts, as the examples do; the folder must exist. For bash, that needs the package bash-completion; without it, save the script anywhere and let ~/.bashrc source it. For zsh, ~/.zshrc has to name the folder before it calls compinit: fpath=(~/.zsh/completions $fpath).

Calls nothing and needs no token.`;
  static override usage = '<%= command.id %> SHELL';
  static override args = {
    // Not required of the parser: what is missing is told together with the names there are.
    SHELL: Args.string({description: `which shell; known: ${shells.join(', ')}`, ignoreStdin: true}),
  };
  static knownValues = {SHELL: shells};
  static override examples = [
    {description: 'bash', command: '<%= config.bin %> completion bash > ~/.local/share/bash-completion/completions/pixelctl'},
    {description: 'zsh', command: '<%= config.bin %> completion zsh > ~/.zsh/completions/_pixelctl'},
    {description: 'fish', command: '<%= config.bin %> completion fish > ~/.config/fish/completions/pixelctl.fish'},
    {description: 'Only for the bash that runs', command: 'eval "$(<%= config.bin %> completion bash)"'},
  ];

  override async run(): Promise<void> {
    const {args} = await this.start(Completion);
    await this.io.write(await completionScript(args.SHELL, this.config), 'data');
  }
}
