import {handleReport} from '../../lib/api/moderation-reports.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';
import {someOf} from '../../lib/cli/endpoint/titles.js';

export default endpointCommand({
  endpoint: handleReport,
  summary: 'Handle reports',
  description:
    'For admins of a server. ignore only closes the report, cw marks the reported post as sensitive, unlist takes it off the public timelines. This cannot be undone.',
  details:
    'Pixelfed 0.12.6 leaves a post in the public timeline after unlist: `posts moderate ID --visibility unlisted` takes it off. Reports of accounts can only be ignored. Reports from a list are all read before the first is handled.',
  examples: [
    {does: 'Mark the post of one report as sensitive', line: 'reports handle 8 --action cw'},
    {
      does: 'Close all reports of spam',
      line: `pixelctl reports list --all -o ndjson --jq 'select(.type == "spam") | .id' | pixelctl reports handle - --action ignore --yes`,
    },
  ],
  targets: {id: 'ID'},
  question: ({targets, count, inputs: [first]}, {server}) =>
    `Handle ${count === 1 ? 'report' : 'reports'} ${someOf(targets, count)} on ${server.host} with the action ${first?.body['action']}? This cannot be undone.`,
  sentence: ({body: {id, action}}) => `Handled report ${id} with ${action}.`,
});
