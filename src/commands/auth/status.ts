import {command} from '../../lib/cli/command.js';
import {profilesView} from '../../lib/cli/profiles.js';
import {statusOf} from '../../lib/cli/sign-in/saved.js';

export default command({
  summary: 'Show profiles and token status',
  description:
    'Shows every profile: its server and release, its account, and its token with scopes, expiry, storage and whether it works. PIXELCTL_PROFILES replaces the saved profiles. The column "active" says what selects the active profile: flag, environment or default. That profile alone decides the exit status. No token is printed.',
  examples: [
    {does: 'Show all profiles', line: 'auth status'},
    {does: 'Check with jq that every token works', line: "auth status --json | jq -e 'all(.profiles[]; .ok)'"},
  ],
  view: profilesView,
  run: ({session}) => statusOf(session),
});
