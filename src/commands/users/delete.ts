import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';
import {subjectLines} from '../../lib/cli/endpoint/titles.js';
import {counted} from '../../lib/json/text.js';
import {userDeletion} from '../../lib/operations/users.js';

export default endpointCommand({
  endpoint: userDeletion,
  summary: 'Delete people for good',
  description:
    'For admins of a Pixelfed server. People are gone at once, with all that they posted. `users update --unlisted --cw --save FILE` is a quarantine that can be lifted instead.',
  details:
    'Posts and followers are counted before the question, which names everybody and wants their number typed. --yes answers it, and then needs --allow-deletions N; a number alone names nobody then. Admins and yourself are refused. People are deleted one after the other, at most one per second unless --rate says otherwise.',
  examples: [
    {does: 'Delete a person, after a question', line: 'users delete @deals10'},
    {
      does: 'Delete the people in a list from a script, and keep a record of who they were and why',
      line: 'users delete --from spam.ndjson --save deleted.ndjson --reason spam --yes --allow-deletions 25',
    },
  ],
  arguments: {user: 'USER'},
  targets: {field: 'user'},
  concurrency: 1,
  question: ({subjects = []}, {server, session}) =>
    [
      ...subjectLines(subjects, session),
      `Delete ${counted(subjects.length, 'person', 'people')} on ${server.host} for good, with all posts?`,
    ].join('\n'),
  done: (_, {subject}) => `Deleted ${subject?.name}.`,
});
