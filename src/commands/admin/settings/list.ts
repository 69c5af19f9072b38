import {listSettings} from '../../../lib/api/admin-settings.js';
import {endpointCommand} from '../../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: listSettings,
  summary: 'List the settings that can be changed while the server runs',
  description: 'For admins of a Pixelfed server.',
  examples: [
    {does: 'List the settings', line: 'admin settings list'},
    {
      does: 'Print whether new people can sign up',
      line: `admin settings list --jq '.[] | select(.key == "pixelfed.open_registration") | .state'`,
    },
  ],
});
