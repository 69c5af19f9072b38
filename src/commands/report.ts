import {report} from '../lib/api/report.js';
import {endpointCommand} from '../lib/cli/endpoint-command.js';

export default endpointCommand({
  endpoint: report,
  summary: 'Report something to the moderators',
  description:
    'There is no way to see a report again, or to take it back; reporting the same thing twice is refused. It is never sent twice on its own.',
  examples: [
    {does: 'A post', line: 'report post 1029249433829986328 --type spam'},
    {does: 'An account, with words', line: "report user 1029249424587207703 --type abusive --message 'Writes the same to everybody'"},
    {does: 'A message', line: 'report direct_message 1029249434912194609 --type scam --json'},
  ],
  arguments: {object_type: 'OBJECT_TYPE', object_id: 'OBJECT_ID'},
  flags: {report_type: 'type'},
});
