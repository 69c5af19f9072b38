import {Args} from '@oclif/core';
import {PixelctlCommand} from '../lib/cli/command.js';
import {runBatch} from '../lib/cli/endpoint/batch-run.js';
import {joinFlags, runFlags, writeFlags} from '../lib/cli/flags.js';

export default class Batch extends PixelctlCommand {
  static override summary = 'Run many commands in one process';
  static override writes = true;
  static override isRepeatable = false;
  static override description =
    'Runs one command a line: as you would type it, or as a JSON object. Only `api` and commands that call one endpoint can be used. All lines are checked before anything is sent.';
  static override details = `Each line of FILE, or of standard input, is a command as you would type it, such as \`filters delete 3 --yes\`. It can also be a JSON object: {"command": "filters delete", "args": ["3"], "flags": {"yes": true}, "id": "any"}. Lines that begin with # are comments. No shell expands the lines. The operations share connections and run several at a time; with --concurrency 1 they run one after another. The output is one result per operation, with its line number and its id.

The token needs the scopes of these commands.`;
  static override usage = '<%= command.id %> [FILE] [flags]';
  static override args = {
    FILE: Args.string({description: 'file with one operation per line (-: standard input, the default)', ignoreStdin: true}),
  };
  static override flags = joinFlags(runFlags, writeFlags);
  static override examples = [
    {description: 'Run the operations in a file', command: '<%= config.bin %> batch operations.txt'},
    {
      description: 'Mark every conversation as read, eight at a time',
      command: `pixelctl dm list --json | jq -c '.data[] | {command: "dm read", args: [.id]}' | pixelctl batch --concurrency 8`,
    },
  ];

  override async run(): Promise<void> {
    const {args, flags, session} = await this.start(Batch);
    await runBatch(args.FILE ?? '-', {command: this.words, config: this.config, flags, session});
  }
}
