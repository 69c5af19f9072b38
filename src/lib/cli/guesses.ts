/** Advice for people who type what they know from other tools. Commands in backticks can be run as they are. */
import {nearest} from '../json/nearest.js';
import {jsonHint} from './parse-errors.js';

const noTimelines = 'pixelctl shows no timelines; `pixelctl notifications list` shows what is new for you';
const noPublishing = 'pixelctl publishes no posts; `pixelctl dm send ID MESSAGE` sends a message';
const noFollowing = 'pixelctl follows nobody; `pixelctl notifications list --follow` prints notifications as they come';
const ofConfig = "`pixelctl config` shows the server's configuration; for profiles, see `pixelctl auth --help`";
const moderateUser =
  '`pixelctl users update @user --unlisted --cw` hides a person of your server, `pixelctl users delete @user` deletes one; `pixelctl blocks add @user` blocks one for your own account';
const blockServer =
  '`pixelctl admin domain-blocks add DOMAIN` blocks a server for everyone, `pixelctl domain-blocks add DOMAIN` for your own account';
const reportsHandled = '`pixelctl reports handle ID --action ignore` closes a report';
const update = 'pixelctl is updated in the way in which it was installed; `pixelctl --version` prints its version';
const exportOf = (section: string) => `\`pixelctl export --only ${section}\` writes them as a policy`;

const differs = 'without a flag, the status is 10 when there is a difference';
const planned = '`pixelctl plan POLICY` prints a digest, and `pixelctl apply POLICY --expect DIGEST` applies exactly that plan';
const madeByApply = 'apply removes what it made and the policy no longer names; `pixelctl undo POLICY` takes back the last apply';

const fields = `use -o json, or another format; ${jsonHint}`;

/** The keys are the first words of a command line, a flag, or a command followed by a flag. */
const guesses: ReadonlyMap<string, string> = new Map([
  ...['current-context', 'edit', 'get', 'get-contexts', 'list', 'set', 'unset', 'use-context', 'view'].map(
    (verb) => [`config ${verb}`, ofConfig] as const,
  ),
  ...['timeline', 'timelines', 'home', 'feed'].map((word) => [word, noTimelines] as const),
  ...['post', 'toot', 'publish'].map((word) => [word, noPublishing] as const),
  ...['follow', 'unfollow', 'following', 'followers'].map((word) => [word, noFollowing] as const),
  ...['update', 'upgrade', 'self-update'].map((word) => [word, update] as const),
  ...['suspend', 'ban', 'block', 'silence'].map((verb) => [`users ${verb}`, moderateUser] as const),
  ...['get', 'show', 'view'].map((verb) => [`reports ${verb}`, '`pixelctl reports list -o yaml` shows all that each report says'] as const),
  ...['close', 'resolve', 'dismiss'].map((verb) => [`reports ${verb}`, reportsHandled] as const),
  ...['admin block', 'instances block', 'instances suspend', 'instances ban'].map((words) => [words, blockServer] as const),
  ...['blocks', 'mutes', 'filters'].map((section) => [`${section} export`, exportOf(section)] as const),
  ...['blocks', 'mutes', 'filters'].map((section) => [`export ${section}`, exportOf(section)] as const),
  ...['domain-blocks export', 'export domain-blocks'].map((words) => [words, exportOf('domain_blocks')] as const),
  ...['blocks import', 'mutes import', 'domain-blocks import', 'admin domain-blocks import'].map((words) => {
    return [words, `\`pixelctl ${words.replace(/import$/, 'add')} --from FILE\` takes a list`] as const;
  }),
  ['filters import', 'create them from a policy (`pixelctl apply POLICY`) or a backup (`pixelctl restore DIR --only filters`)'],
  ['import', 'block lists: `pixelctl domain-blocks add --from FILE`; a policy: `pixelctl apply POLICY`; a backup: `pixelctl restore DIR`'],
  ['me', '`pixelctl auth status` shows which account is in use'],
  ['logs', 'pixelctl writes no log: `-v` shows requests and answers, and `--journal FILE` records a run'],
  ['policy', '`pixelctl audit POLICY` compares an account with a policy, and `pixelctl plan POLICY` shows what would change'],
  ['fmt', '`pixelctl validate POLICY` checks a policy; pixelctl does not change its layout'],
  ['check', '`pixelctl validate POLICY` checks the file, `pixelctl audit POLICY` compares the account with it'],
  ['show', '`pixelctl plan POLICY` shows what would change, `pixelctl state list POLICY` what apply made'],
  ['sync', '`pixelctl apply POLICY` makes an account as a policy says; `pixelctl plan POLICY` shows what would change'],
  ['destroy', '`pixelctl undo POLICY` takes back what the last apply changed'],
  [
    'prune',
    'apply removes what it made and the policy no longer names: `pixelctl plan POLICY` shows it; old backups are folders in DIR/lists',
  ],
  ['forget', '`pixelctl state forget POLICY NAME` gives up what apply made; old backups are folders in DIR/lists'],
  ['snapshots', 'backups are folders in DIR/lists; `pixelctl backup --to DIR` makes one'],
  ['backup', '`pixelctl backup --to DIR` writes a backup'],
  ['dm open', '`pixelctl dm messages ID` shows a conversation, `pixelctl dm start @user` begins one'],
  ['autospam delete', '`pixelctl autospam handle ID --action delete-post` deletes the post'],
  ['autospam approve', '`pixelctl autospam handle ID --action approve` makes the post public again'],
  ['admin users', '`pixelctl users list` shows the people of the server'],
  ['admin reports', '`pixelctl reports list` shows the reports'],
  ['posts list', 'posts that people reported: `pixelctl reports list`; that the spam filter held back: `pixelctl autospam list`'],
  ['posts delete', '`pixelctl posts moderate ID --delete` deletes a post as an admin'],
  ...['read', 'clear', 'dismiss'].map(
    (verb) =>
      [
        `notifications ${verb}`,
        'notifications cannot be marked as read; `pixelctl notifications list --since-file FILE` prints only what is new',
      ] as const,
  ),
  ['filters create', 'the title is a flag: `pixelctl filters create --title TITLE --context home --keyword WORD`'],
  ['dm start', '`pixelctl dm start` takes people only; then `pixelctl dm send ID MESSAGE` sends a message'],
  ['upload', '`pixelctl dm send ID --media FILE` sends a file'],
  ['--format', fields],
  ['--template', fields],
  ['--force', 'a command that destroys something asks first: see its help'],
  ['-w', 'pixelctl opens no browser; `--follow` goes on printing a list of what comes in'],
  ['-i', 'a command that destroys something asks at a terminal; `-v` shows requests and answers'],
  ['auth login --token', '`pixelctl auth login --with-token` reads a token from standard input'],
  ['--token', 'the token comes from PIXELCTL_TOKEN or a profile'],
  ['--auto-approve', planned],
  ['plan --out', planned],
  ['plan -o', planned],
  ['export --out', 'data goes to standard output: `> FILE` writes it to a file'],
  ['--target', '`--only SECTION` takes one section of a policy; to leave an item as it is, take it out of the policy'],
  ['--destroy', madeByApply],
  ['--prune', madeByApply],
  ['--detailed-exitcode', differs],
  ['--exit-code', differs],
  ['--diff', '`pixelctl plan POLICY` shows what would change; `pixelctl diff LEFT RIGHT` compares policies, lists and servers'],
  ['--fix', '`pixelctl apply POLICY` makes an account as the policy says'],
  ['--dry-run', 'it changes nothing on the server; `pixelctl plan POLICY` shows what apply would do'],
  ['restore --from', 'DIR is an argument: `pixelctl restore DIR`'],
  ['dm list --unread', "`pixelctl dm list --jq '.data[] | select(.unread_count > 0)'` prints those with unread messages"],
  ['--unread', 'servers do not say what was read; `pixelctl notifications list --since-file FILE` prints only what is new'],
]);

/** Advice for a command of another program; undefined if there is none. */
export function insteadOf(words: readonly string[]): {readonly command: string; readonly advice: string} | undefined {
  for (const [command, advice] of guesses) if (`${words.join(' ')} `.startsWith(`${command} `)) return {command, advice};
  return undefined;
}

/** For arguments (in capitals) and flags, what they are called in other tools. The first one that a command has is suggested. */
const calledElsewhere = {
  POLICY: ['f', 'file', 'filename'],
  A: ['f', 'file', 'filename'],
  MESSAGE: ['body', 'b', 'm', 'message', 'text'],
  METHOD: ['X', 'method'],
  server: ['hostname', 'host', 'instance'],
  profile: ['account'],
  all: ['paginate', 'A'],
  follow: ['watch', 'f'],
  'dry-run': ['n'],
  limit: ['n', 'L'],
  max: ['n', 'L'],
  input: ['f', 'd'],
  from: ['f'],
  title: ['t'],
  type: ['t'],
  field: ['F'],
  header: ['H'],
  keyword: ['add-keyword'],
  query: ['search'],
  filter: ['search'],
  to: ['out'],
  report: ['out'],
  'since-file': ['since'],
};

/** Advice for a flag that the command does not have. @param name without dashes @param flags the flags that it has */
export function insteadOfFlag(name: string, command: string, flags: readonly string[], args: readonly string[]): string | undefined {
  const dashed = name.length === 1 ? `-${name}` : `--${name}`;
  const isHere = (one: string) => flags.includes(one) || args.includes(one);
  const [here] = Object.entries(calledElsewhere).find(([one, names]) => names.includes(name) && isHere(one)) ?? [];
  if (here !== undefined && args.includes(here)) return `${here} is an argument: \`pixelctl ${command} ${args.join(' ')}\``;
  const advice = guesses.get(`${command} ${dashed}`) ?? (here === undefined ? guesses.get(dashed) : `did you mean --${here}?`);
  const near = advice === undefined && name.length > 1 ? nearest(name, flags) : undefined;
  return near === undefined ? advice : `did you mean --${near}?`;
}
