import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';
import {countedNow, someOf, targetLines} from '../../lib/cli/endpoint/titles.js';
import {countNoun} from '../../lib/json/text.js';
import {autospamHandling} from '../../lib/operations/autospam.js';

/** The questions about actions that act on more than an entry. */
const finals: Readonly<Record<string, readonly [what: string, one: string, several: string]>> = {
  'delete-post': ['Delete %s', 'post', 'posts'],
  'delete-account': ['Delete %s with everything that they posted', 'person', 'people'],
  'dismiss-all': ['Dismiss all entries of %s', 'person', 'people'],
  'approve-all': ['Make all posts public that are held back of %s', 'person', 'people'],
};

export default endpointCommand({
  endpoint: autospamHandling,
  summary: 'Handle what the spam filter held back',
  description:
    'For admins. dismiss agrees that the post is spam, and approve makes it public again. The others delete, or act on all entries of the author. approve-all also makes sensitive posts public, and not sensitive. None can be undone.',
  details:
    'dismiss leaves the post as it is. approve-all gives every post of the author the sensitivity of the named one: after that of a post that is not sensitive, none is. delete-account deletes the author with everything that they posted; before it asks, the command counts their posts and followers. Entries from a list are all read before the first is handled. All actions but dismiss and approve are stricter. Entries must be in the list of the spam filter, and --yes needs --allow-deletions N. They are handled one after the other, at most one per second unless --rate says otherwise.',
  examples: [
    {does: 'Make the post of one entry public again', line: 'autospam handle 7 --action approve'},
    {
      does: 'Dismiss the first posts of people, in a script',
      line: `pixelctl autospam list --all -o ndjson --jq 'select(.status.account.statuses_count == 1) | .id' | pixelctl autospam handle - --action dismiss --yes`,
    },
    {
      does: 'Delete the authors of a list of entries, and keep a record of them',
      line: 'autospam handle --from entries.ndjson --action delete-account --save deleted.ndjson --yes --allow-deletions 25',
    },
  ],
  targets: {id: 'ID'},
  question({inputs: [first], found = []}, {server, session}) {
    const action = String(first?.body['action']);
    const [words = '', one = '', several = ''] = finals[action] ?? [];
    if (words === '') {
      const names = someOf(found.map(({name}) => name));
      return `Handle ${names} on ${server.host} with the action ${action}? This cannot be undone.`;
    }
    const what = words.replace('%s', countNoun(found.length, one, several));
    const lines = [...targetLines(found, session), ...(action === 'delete-account' ? [countedNow] : [])];
    return [...lines, `${what} on ${server.host}? This cannot be undone.`].join('\n');
  },
  sentence: ({body: {id, action}}) => `Handled entry ${id} with ${action}.`,
});
