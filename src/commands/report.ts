import {report} from '../lib/api/report.js';
import {endpointCommand} from '../lib/cli/endpoint/endpoint-command.js';
import {accountWords} from '../lib/cli/endpoint/sentences.js';

export default endpointCommand({
  endpoint: report,
  summary: 'Report a post, account or message to the moderators',
  description:
    'A report cannot be viewed or withdrawn afterwards. Servers refuse a second report of the same object. A report is never resent automatically.',
  examples: [
    {does: 'Report a post as spam', line: 'report post 1029249433829986328 --type spam'},
    {
      does: 'Report an account, with a comment',
      line: "report user 1029249424587207703 --type abusive --message 'Writes the same to everybody'",
    },
  ],
  arguments: {object_type: 'OBJECT_TYPE', object_id: 'OBJECT_ID'},
  flags: {report_type: 'type'},
  sentence: ({body: {object_type: type, object_id: id, report_type: reason}}) =>
    `Reported ${type === 'user' ? accountWords(id) : `${String(type).replaceAll('_', ' ')} ${String(id)}`} as ${String(reason)}.`,
});
