import {Args} from '@oclif/core';
import {completionScripts} from '../lib/cli/completion/script.js';
import {command} from '../lib/cli/command.js';

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

export default command({
  summary: 'Print a shell completion script',
  description:
    'Prints a script that completes commands, flags, values, profiles and files with the Tab key. The examples save it where the shell looks for it.',
  details: `The script asks pixelctl, so it stays up to date. Completion reads no token and contacts no server.

Save it as the examples show; the folder must exist. bash needs the package bash-completion; without it, save the script anywhere and source it in ~/.bashrc. For zsh, add the folder to fpath in ~/.zshrc before compinit is called: fpath=(~/.zsh/completions $fpath). For PowerShell, save it anywhere, and source it in the file that $PROFILE names.`,
  usage: 'SHELL',
  args: {
    SHELL: Args.option({options: shells, description: 'bash, zsh, fish or powershell'})({required: true}),
  },
  examples: [
    {does: 'Install for bash', line: 'completion bash > ~/.local/share/bash-completion/completions/pixelctl'},
    {does: 'Install for zsh', line: 'completion zsh > ~/.zsh/completions/_pixelctl'},
    {does: 'Install for fish', line: 'completion fish > ~/.config/fish/completions/pixelctl.fish'},
  ],
  async run({args, session}) {
    await session.io.write(completionScripts[args.SHELL], 'data');
  },
});
