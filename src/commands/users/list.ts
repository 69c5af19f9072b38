import {Flags} from '@oclif/core';
import {listUsers} from '../../lib/api/users.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';
import {numberFlag, spanFlag} from '../../lib/cli/flags.js';
import {selectedUsers} from '../../lib/operations/selected-users.js';

const most = (what: string) =>
  numberFlag({description: `only people with at most this many ${what}`, helpValue: 'N'}, {least: 0, whole: true});

export default endpointCommand({
  endpoint: listUsers,
  summary: 'List the people who are registered at the server',
  description:
    'For admins of a Pixelfed server, newest first. People who are suspended, disabled or being deleted are not listed. For filters such as --max-posts, all pages are read, and --json prints one list of matches.',
  details:
    'Servers cannot filter by --created-after, --created-before, --unverified, --max-posts and --max-followers: pixelctl reads all pages and filters them. Dates are inclusive, in UTC unless they say otherwise. Reading ends after two pages of people who are all older than --created-after, but not with --sort asc. --max-posts and --max-followers never match people whose numbers the server does not tell; such people are counted.',
  examples: [
    {does: 'List the newest people', line: 'users list'},
    {does: 'List the people of the last days who have posted nothing', line: 'users list --created-after 2026-11-20 --max-posts 0'},
  ],
  flags: {q: 'query'},
  own: {
    flags: {
      'created-after': spanFlag({description: 'only people who registered at this time or later'}),
      'created-before': spanFlag({description: 'only people who registered at this time or earlier'}),
      unverified: Flags.boolean({description: 'only people who have not confirmed their e-mail address'}),
      'max-posts': most('posts'),
      'max-followers': most('followers'),
    },
    select: (flags) =>
      selectedUsers({
        createdAfter: flags['created-after']?.first,
        createdBefore: flags['created-before']?.last,
        isUnverified: flags.unverified === true,
        maxPosts: flags['max-posts'],
        maxFollowers: flags['max-followers'],
        ascends: flags['sort'] === 'asc',
      }),
  },
});
