import {listAutospam} from '../../lib/api/autospam.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: listAutospam,
  summary: 'List the posts that the spam filter held back',
  description:
    'For admins of a Pixelfed server. The newest come first, six on a page. Until somebody handles them, these posts are unlisted and marked as sensitive. Entries whose posts are gone are skipped and counted.',
  examples: [
    {does: 'List the newest posts', line: 'autospam list'},
    {does: 'List all posts, one per line', line: 'autospam list --all -o ndjson'},
  ],
  follows: true,
});
