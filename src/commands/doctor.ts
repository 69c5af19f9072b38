import type {ListView} from '../lib/api/view.js';
import {command} from '../lib/cli/command.js';

export const checksView: ListView = {
  kind: 'list',
  columns: [
    {header: 'check', path: 'name', key: true},
    {header: 'result', path: 'ok', words: ['ok', 'not ok'], stays: true},
    {header: 'what was found', path: 'detail', stays: true},
    {header: 'what to do', path: 'fix', none: '', stays: true},
  ],
  empty: 'Nothing was checked.',
};

export default command({
  summary: 'Diagnose configuration and connectivity',
  description:
    'Checks the profiles, the keyring, proxies and TLS, then the server, its clock and version, and the token and its scopes. The exit status is 0 when every check passes.',
  details: `Shows the Node that runs it. Checks the saved profiles and the permissions of their files, the keyring, proxies and TLS. Then it checks the server: its response, its clock, its version and features, and the token with its scopes. Nothing is changed, except that a profile folder that others can read is made private. The exit status is 0 if all checks pass; otherwise it is that of the first failed check.`,
  examples: [
    {does: 'Run all checks', line: 'doctor'},
    {does: 'Print only the fixes', line: "doctor --json | jq -r '.checks[] | select(.ok | not) | .fix'"},
  ],
  view: checksView,
  run: async ({session}) => (await import('../lib/cli/doctor/doctor.js')).diagnose(session),
});
