import {Args} from '@oclif/core';
import {completionScript, shellNamed, shells} from '../lib/cli/completion/script.js';
import {command} from '../lib/cli/command.js';

export default command({
  summary: 'Print a shell completion script',
  description:
    'Prints a script that completes commands, flags, values, profiles and files with the Tab key. The examples save it where the shell looks for it.',
  details: `The script asks pixelctl, so it stays up to date. Completion reads no token and contacts no server.

Save it as the examples show; the folder must exist. bash needs the package bash-completion; without it, save the script anywhere and source it in ~/.bashrc. For zsh, add the folder to fpath in ~/.zshrc before compinit is called: fpath=(~/.zsh/completions $fpath). For PowerShell, save it anywhere, and source it in the file that $PROFILE names.`,
  usage: 'SHELL',
  args: {
    // oclif does not require it, so that the message about a missing shell can name all shells.
    SHELL: Args.string({description: new Intl.ListFormat('en', {type: 'disjunction'}).format(shells), ignoreStdin: true}),
  },
  knownValues: {SHELL: shells},
  examples: [
    {does: 'Install for bash', line: 'completion bash > ~/.local/share/bash-completion/completions/pixelctl'},
    {does: 'Install for zsh', line: 'completion zsh > ~/.zsh/completions/_pixelctl'},
    {does: 'Install for fish', line: 'completion fish > ~/.config/fish/completions/pixelctl.fish'},
    {does: 'Use it in the current bash session only', line: 'eval "$(pixelctl completion bash)"'},
  ],
  async run({args, session}) {
    await session.io.write(completionScript(shellNamed(args.SHELL)), 'data');
  },
});
