import {Args} from '@oclif/core';
import {completionScript, shellNamed, shells} from '../lib/cli/completion/script.js';
import {PixelctlCommand} from '../lib/cli/command.js';

export default class Completion extends PixelctlCommand {
  static override summary = 'Print a shell completion script';
  static override description =
    'Prints a script that completes commands, flags, files, profiles and ids with the Tab key. `completion install` saves it where the shell looks for it.';
  static override details = `Tab then completes commands, flags, known values, files, and names of profiles. It also completes the ids of filters, conversations, blocked and muted accounts, and blocked domains that a list of the same profile showed in the last minute. The script asks pixelctl, so it stays up to date. Completion reads no token and contacts no server, unless PIXELCTL_COMPLETE_LIVE is set.

\`pixelctl completion install\` saves it where the shell looks for it. To do that yourself, save it as the examples show; the folder must exist. bash needs the package bash-completion; without it, save the script anywhere and source it in ~/.bashrc. For zsh, add the folder to fpath in ~/.zshrc before compinit is called: fpath=(~/.zsh/completions $fpath).

With PIXELCTL_COMPLETE_LIVE=1, Tab asks the server for ids that no list has shown, for at most 300 ms. It uses a token from the environment or from a file, never one in the keyring, which could ask for a password.`;
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
