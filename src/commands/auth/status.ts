import {command} from '../../lib/cli/command.js';
import {profilesView} from '../../lib/cli/profiles.js';
import {statusOf} from '../../lib/cli/sign-in/saved.js';

export default command({
  summary: 'Show which account is in use, and whether tokens work',
  description:
    'Shows every profile: its server, its account, and its token with scopes, expiry, storage and whether it works. PIXELCTL_PROFILES replaces the saved profiles. A token in PIXELCTL_TOKEN or PIXELCTL_TOKEN_FILE is shown too, without a profile, where it is the one in use. The column "active" says what selects the account in use: flag, environment, default, or the variable of the token. That account alone decides the exit status; where none is selected, all do. No token is printed.',
  examples: [
    {does: 'Show all profiles', line: 'auth status'},
    {does: 'Check with jq that every token works', line: "auth status --json | jq -e 'all(.profiles[]; .ok)'"},
  ],
  view: profilesView,
  run: ({session}) => statusOf(session),
});
