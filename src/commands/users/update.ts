import {Failure} from '../../lib/client/failure.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';
import {someOf} from '../../lib/cli/endpoint/titles.js';
import {userModeration} from '../../lib/operations/users.js';
import type {FullInput} from '../../lib/operations/operation.js';

const actions = {
  unlisted: ['keep the posts of %s off public timelines', 'let the posts of %s into public timelines'],
  cw: ['mark the posts of %s as sensitive', 'stop marking the posts of %s as sensitive'],
  autolink: ['make links in the posts of %s', 'make no links in the posts of %s'],
  verify_email: ['take the e-mail address of %s as verified', ''],
  refresh_stats: ['count the posts and followers of %s', ''],
} as const;

const names = ['unlisted', 'cw', 'autolink', 'verify_email', 'refresh_stats'] as const;

/** `Keep the posts of @spam1 off public timelines` */
function wordsFor({body}: FullInput, whom: string): string {
  const done = names.flatMap((name) => {
    const value = body[name];
    return typeof value === 'boolean' ? actions[name][value ? 0 : 1].replace('%s', whom) || [] : [];
  });
  const [first = '', ...rest] = done;
  return `${first.charAt(0).toUpperCase()}${first.slice(1)}${rest.map((one) => `, ${one.replace(whom, 'them')}`).join('')}`;
}

export default endpointCommand({
  endpoint: userModeration,
  summary: 'Unlist people, mark their posts as sensitive, or take that back',
  description:
    'For admins of a Pixelfed server. Each person is read first, and one request is sent for each flag that differs. People are changed one by one unless --concurrency is given. Admins and yourself are refused except for --refresh-stats.',
  examples: [
    {does: 'Put one person in quarantine', line: 'users update @deals10 --unlisted --cw --no-autolink'},
    {
      does: 'Unlist everybody who is reported, and skip accounts of other servers',
      line: 'pixelctl reports list --all -o ndjson | pixelctl users update - --unlisted --cw --skip-invalid --yes',
    },
  ],
  arguments: {user: 'USER'},
  targets: {field: 'user'},
  concurrency: 1,
  negatable: ['unlisted', 'cw', 'autolink'],
  own: {
    flags: {},
    apply(input) {
      if (names.some((name) => input.body[name] !== undefined)) return input;
      throw new Failure('usage', 'Missing: --[no-]unlisted, --[no-]cw, --[no-]autolink, --verify-email or --refresh-stats', {
        hint: 'see `pixelctl users update --help`',
      });
    },
  },
  question: ({inputs: [first], subjects = []}, {server}) => {
    const people = someOf(subjects.map(({name}) => name));
    return first === undefined ? '' : `${wordsFor(first, people)} on ${server.host}?`;
  },
});
