import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';
import {countedNow, targetLines} from '../../lib/cli/endpoint/titles.js';
import {countNoun} from '../../lib/json/text.js';
import {userDeletion} from '../../lib/operations/users.js';

export default endpointCommand({
  endpoint: userDeletion,
  summary: 'Delete people permanently',
  description:
    'For admins of a Pixelfed server. People are deleted at once, with everything that they posted. To put them in a quarantine that can be lifted, use `users update --unlisted --cw --save FILE`.',
  details:
    'Before it asks, the command counts their posts and followers. The question names the people, and you type their number to confirm. --yes skips the question; it needs --allow-deletions N, and refuses plain numbers as names of people. Admins and yourself are refused. People are deleted one after the other, at most one per second unless --rate says otherwise.',
  examples: [
    {does: 'Delete a person, after confirmation', line: 'users delete @deals10'},
    {
      does: 'Delete the people in a list from a script, and keep a record of who they were and why',
      line: 'users delete --from spam.ndjson --save deleted.ndjson --reason spam --yes --allow-deletions 25',
    },
  ],
  targets: {user: 'USER'},
  concurrency: 1,
  question: ({found = []}, {server, session}) =>
    [
      ...targetLines(found, session),
      countedNow,
      `Delete ${countNoun(found.length, 'person', 'people')} on ${server.host} permanently, with all posts?`,
    ].join('\n'),
  sentence: (_, {name}) => `Deleted ${name}.`,
});
