import {Flags} from '@oclif/core';
import {command} from '../lib/cli/command.js';
import {numberFlag, repeatable} from '../lib/cli/flags.js';
import {runSandbox} from '../lib/cli/sandbox/sandbox.js';

const generations = ['0.12.6', '2026'] as const;
const seeds = ['demo', 'empty'] as const;

export default command({
  summary: 'Run a local test server',
  description:
    'Runs a test server in memory, on this machine only, with every endpoint that a command calls. It prints tokens to use it with. Ctrl-C stops it, and its data is lost.',
  details: `The server has accounts, messages and filters to try commands on.

It prints tokens: one with all scopes, one that can only read, and one of an admin, for the commands that moderate the server. With --accounts N it prints the tokens of N accounts, and the commands that save a profile for each, to try commands with several profiles. At a terminal, --shell opens a shell in which commands use the server. --fault makes it fail on purpose: status=503, delay=2000, drop, truncate, html, rate-limit=3, each with conditions such as at="POST /api/v1.1/report", chance=0.3, times=1.`,
  flags: {
    port: numberFlag(
      {description: 'port to listen on; 0, the default, uses a free one', helpValue: 'N'},
      {least: 0, most: 65_535, whole: true},
    ),
    seed: Flags.option({options: seeds})({description: 'initial data', helpValue: 'SEED', default: 'demo'}),
    like: Flags.option({options: generations})({description: 'release to behave like', helpValue: 'RELEASE', default: '2026'}),
    accounts: numberFlag(
      {description: 'print the tokens of this many accounts; missing ones are created', helpValue: 'N'},
      {least: 1, most: 1000, whole: true},
    ),
    instances: numberFlag(
      {description: 'number of other servers that this one knows; missing ones are created', helpValue: 'N'},
      {least: 0, most: 100_000, whole: true},
    ),
    'no-rate-limit': Flags.boolean({description: 'do not limit requests per minute (no 429)'}),
    shell: Flags.boolean({description: 'open a shell that uses the server; its end stops the server'}),
    fault: repeatable('failure to simulate, where, and how often', 'SPEC'),
  },
  examples: [
    {does: 'Imitate the newest release, on a free port', line: 'sandbox'},
    {does: 'Try several accounts', line: 'sandbox --accounts 3'},
    {does: 'Fail every third request', line: 'sandbox --fault status=503,chance=0.33'},
  ],
  run: runSandbox,
});
