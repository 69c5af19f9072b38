import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';
import {listDeeds} from '../../lib/cli/endpoint/sentences.js';
import {someOf} from '../../lib/cli/endpoint/titles.js';
import {userModeration, userRestoration} from '../../lib/operations/users.js';
import type {FullInput} from '../../lib/operations/operation.js';

/** The words for turning each flag on and off: those of the question, and those of the sentence afterwards. */
const actions = {
  unlisted: {
    on: ['keep the posts of %s off public timelines', 'unlisted %s'],
    off: ['let the posts of %s into public timelines', 'relisted %s'],
  },
  cw: {
    on: ['mark the posts of %s as sensitive', 'marked the posts of %s as sensitive'],
    off: ['stop marking the posts of %s as sensitive', 'stopped marking the posts of %s as sensitive'],
  },
  autolink: {
    on: ['make links in the posts of %s', 'made links in the posts of %s'],
    off: ['make no links in the posts of %s', 'removed links from the posts of %s'],
  },
  verify_email: {on: ['take the e-mail address of %s as verified', 'took the e-mail address of %s as verified'], off: undefined},
  refresh_stats: {on: ['count the posts and followers of %s', 'counted the posts and followers of %s'], off: undefined},
} as const;

const names = ['unlisted', 'cw', 'autolink', 'verify_email', 'refresh_stats'] as const;

/** `Keep the posts of @spam1 off public timelines`, `mark their posts as sensitive`; empty if no flag is given, as with `--restore`. */
function wordsFor({body}: FullInput, whom: string, tense: 'asked' | 'told'): readonly string[] {
  const [first, ...rest] = names.flatMap((name) => {
    const value = body[name];
    return typeof value === 'boolean' ? (actions[name][value ? 'on' : 'off']?.[tense === 'asked' ? 0 : 1] ?? []) : [];
  });
  if (first === undefined) return [];
  const others = rest.map((action) => action.replace(/the (.+) of %s/, 'their $1'));
  return [`${first.charAt(0).toUpperCase()}${first.slice(1).replace('%s', () => whom)}`, ...others];
}

export default endpointCommand({
  endpoint: userModeration,
  instead: {flag: 'restore', endpoint: userRestoration},
  summary: 'Unlist people, mark their posts as sensitive, or take that back',
  description:
    'For admins of a Pixelfed server. Each person is read first, and one request is sent for each flag that differs. People are changed one by one unless --concurrency is given. Admins and yourself are refused except for --refresh-stats.',
  details:
    'With --save it is a quarantine that can be lifted. --restore sets back what the file records, for the named people or for everyone in the file. Flags that somebody else changed since stay, and are listed. The file records who was restored, so that a later --restore skips them; an interrupted quarantine continues in the same file. Lines of another server are refused, and so are people whose account id has changed. --skip-invalid skips them.',
  examples: [
    {
      does: 'Put people in quarantine, and save their earlier state',
      line: 'users update --from spam.ndjson --unlisted --cw --no-autolink --save quarantine.ndjson',
    },
    {does: 'Lift the quarantine of one person', line: 'users update @deals10 --restore quarantine.ndjson'},
    {
      does: 'Unlist everybody who is reported, and skip accounts of other servers',
      line: 'pixelctl reports list --all -o ndjson | pixelctl users update - --unlisted --cw --skip-invalid --yes',
    },
  ],
  targets: {user: 'USER'},
  concurrency: 1,
  negatable: ['unlisted', 'cw', 'autolink'],
  changes: true,
  question: ({inputs: [first], found = []}, {server}) => {
    const people = someOf(found.map(({name}) => name));
    const words = first === undefined ? '' : wordsFor(first, people, 'asked').join(', ');
    return `${words || `Set back what was changed of ${people}`} on ${server.host}?`;
  },
  sentence: (input, {name}) => `${listDeeds(wordsFor(input, name, 'told')) || `Set back what was changed of ${name}`}.`,
});
