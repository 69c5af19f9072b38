import {command} from '../lib/cli/command.js';
import {runSandbox, sandboxFlags} from '../lib/cli/sandbox/sandbox.js';

export default command({
  summary: 'Run a local test server',
  description:
    'Runs a test server in memory, on this machine only, with every endpoint that a command calls. It prints tokens to use it with. Ctrl-C stops it, and its data is lost.',
  details: `The server has accounts, messages and filters to try commands on.

It prints tokens: one with all scopes, one that can only read, and one of an admin, for the commands that moderate the server. With --accounts N it prints the tokens of N accounts, and the commands that save a profile for each, to try commands with several profiles. At a terminal, --shell opens a shell in which commands use the server. --fault makes it fail on purpose: status=503, delay=2000, drop, truncate, html, rate-limit=3, each with conditions such as at="POST /api/v1.1/report", chance=0.3, times=1.`,
  flags: sandboxFlags,
  examples: [
    {does: 'Imitate the newest release, on a free port', line: 'sandbox'},
    {does: 'Try several accounts', line: 'sandbox --accounts 3'},
    {does: 'Fail every third request', line: 'sandbox --fault status=503,chance=0.33'},
  ],
  run: runSandbox,
});
