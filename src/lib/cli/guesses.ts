/** Advice for what people type by mistake, or because other programs have it. Commands in backticks can be run as they are. */
import {Failure} from '../client/failure.js';
import {nearest} from '../json/nearest.js';
import {jsonHint} from './parse-errors.js';

const publishing = 'pixelctl publishes no posts; `pixelctl dm send ID MESSAGE` sends a message';
const following = 'pixelctl follows nobody; `pixelctl notifications list --follow` prints notifications as they come';
const moderating = '`pixelctl users update @user --unlisted --cw` hides a person of your server; `pixelctl users delete @user` deletes one';
const blocking = '`pixelctl admin domain-blocks add DOMAIN` blocks a server for everyone, `pixelctl domain-blocks add DOMAIN` for you';
const planning = '`pixelctl plan POLICY` prints a digest, and `pixelctl apply POLICY --expect DIGEST` applies exactly that plan';
const madeByApply = 'apply removes what it made and the policy no longer names; `pixelctl undo POLICY` takes back the last apply';
const unread = 'nothing can be marked as read; `pixelctl notifications list --since-file FILE` prints only what is new';
const exporting = '`pixelctl export --only $1` writes them as a policy';
const importing = 'create them from a policy (`pixelctl apply POLICY`) or a backup (`pixelctl restore DIR --only filters`)';

/** The first words of a command line, or a command with a flag that it does not have. `$1` is what the first group found. */
const guesses: readonly (readonly [typed: RegExp, advice: string])[] = [
  [
    /^config (current-context|edit|get|get-contexts|list|set|unset|use-context|view)$/,
    "`pixelctl config` shows the server's configuration; for profiles, see `pixelctl auth --help`",
  ],
  [/^(timelines?|home|feed)$/, 'pixelctl shows no timelines; `pixelctl notifications list` shows what is new for you'],
  [/^(post|toot|publish)$/, publishing],
  [/^(un)?follow(ing|ers)?$/, following],
  [/^(self-)?(update|upgrade)$/, 'pixelctl is updated in the way in which it was installed; `pixelctl --version` prints its version'],
  [/^users (suspend|ban|block|silence)$/, moderating],
  [/^reports (get|show|view)$/, '`pixelctl reports list -o yaml` shows all that each report says'],
  [/^reports (close|resolve|dismiss)$/, '`pixelctl reports handle ID --action ignore` closes a report'],
  [/^(admin block|instances (block|suspend|ban))$/, blocking],
  [/^export (blocks|mutes|filters)$/, exporting],
  [/^(blocks|mutes|filters) export$/, exporting],
  [/^(domain-blocks export|export domain-blocks)$/, '`pixelctl export --only domain_blocks` writes them as a policy'],
  [/^(blocks|mutes|domain-blocks|admin domain-blocks) import$/, '`pixelctl $1 add --from FILE` takes a list'],
  [/^filters import$/, importing],
  [
    /^import$/,
    'block lists: `pixelctl domain-blocks add --from FILE`; a policy: `pixelctl apply POLICY`; a backup: `pixelctl restore DIR`',
  ],
  [/^me$/, '`pixelctl auth status` shows which account is in use'],
  [/^logs$/, 'pixelctl writes no log: `-v` shows requests and answers, and `--journal FILE` records a run'],
  [/^policy$/, '`pixelctl audit POLICY` compares an account with a policy, and `pixelctl plan POLICY` shows what would change'],
  [/^fmt$/, '`pixelctl validate POLICY` checks a policy; pixelctl does not change its layout'],
  [/^check$/, '`pixelctl validate POLICY` checks the file, `pixelctl audit POLICY` compares the account with it'],
  [/^show$/, '`pixelctl plan POLICY` shows what would change, `pixelctl state list POLICY` what apply made'],
  [/^sync$/, '`pixelctl apply POLICY` makes an account as a policy says; `pixelctl plan POLICY` shows what would change'],
  [/^destroy$/, '`pixelctl undo POLICY` takes back what the last apply changed'],
  [/^prune$/, '`pixelctl plan POLICY` shows what apply would remove; old backups are folders in DIR/lists'],
  [/^forget$/, '`pixelctl state forget POLICY NAME` gives up what apply made; old backups are folders in DIR/lists'],
  [/^(snapshots|backup)$/, '`pixelctl backup --to DIR` writes a backup; earlier ones are folders in DIR/lists'],
  [/^dm open$/, '`pixelctl dm messages ID` shows a conversation, `pixelctl dm start @user` begins one'],
  [/^autospam delete$/, '`pixelctl autospam handle ID --action delete-post` deletes the post'],
  [/^autospam approve$/, '`pixelctl autospam handle ID --action approve` makes the post public again'],
  [/^admin users$/, '`pixelctl users list` shows the people of the server'],
  [/^admin reports$/, '`pixelctl reports list` shows the reports'],
  [/^posts list$/, 'posts that people reported: `pixelctl reports list`; that the spam filter held back: `pixelctl autospam list`'],
  [/^posts delete$/, '`pixelctl posts moderate ID --delete` deletes a post as an admin'],
  [/^notifications (read|clear|dismiss)$/, unread],
  [/^filters create$/, 'the title is a flag: `pixelctl filters create --title TITLE --context home --keyword WORD`'],
  [/^dm start$/, '`pixelctl dm start` takes people only; then `pixelctl dm send ID MESSAGE` sends a message'],
  [/^(block|mute)$/, 'did you mean `pixelctl $1s add`?'],
  [/^un(block|mute)$/, 'did you mean `pixelctl $1s remove`?'],
  [/^init$/, 'did you mean `pixelctl auth login`?'],
  [/^profiles?$/, 'did you mean `pixelctl auth status`?'],
  [/^serve$/, 'did you mean `pixelctl sandbox`?'],
  [/^message$/, 'did you mean `pixelctl dm send`?'],
  [/^(messages|conversations)$/, 'did you mean `pixelctl dm list`?'],
  [/^search$/, 'did you mean `pixelctl dm lookup`?'],
  [/^lint$/, 'did you mean `pixelctl validate`?'],
  [/ --(format|template)$/, `use -o json, or another format; ${jsonHint}`],
  [/ --force$/, 'a command that destroys something asks first: see its help'],
  [/ -w$/, 'pixelctl opens no browser; `--follow` goes on printing a list of what comes in'],
  [/ -i$/, 'a command that destroys something asks at a terminal; `-v` shows requests and answers'],
  [/^auth login --token$/, '`pixelctl auth login --with-token` reads a token from standard input'],
  [/ --token$/, 'the token comes from PIXELCTL_TOKEN or a profile'],
  [/ --auto-approve$|^plan (--out|-o)$/, planning],
  [/^export --out$/, 'data goes to standard output: `> FILE` writes it to a file'],
  [/ --target$/, '`--only SECTION` takes one section of a policy; to leave an item as it is, take it out of the policy'],
  [/ --(destroy|prune)$/, madeByApply],
  [/ --(detailed-exitcode|exit-code)$/, 'without a flag, the status is 10 when there is a difference'],
  [/ --diff$/, '`pixelctl plan POLICY` shows what would change; `pixelctl diff LEFT RIGHT` compares policies, lists and servers'],
  [/ --fix$/, '`pixelctl apply POLICY` makes an account as the policy says'],
  [/ --dry-run$/, 'it changes nothing on the server; `pixelctl plan POLICY` shows what apply would do'],
  [/^restore --from$/, 'DIR is an argument: `pixelctl restore DIR`'],
  [/^dm list --unread$/, "`pixelctl dm list --jq '.data[] | select(.unread_count > 0)'` prints those with unread messages"],
  [/ --unread$/, unread],
];

function adviceOn(typed: string): string | undefined {
  const [pattern, advice] = guesses.find(([one]) => one.test(typed)) ?? [];
  return pattern && advice?.replace('$1', pattern.exec(typed)?.[1] ?? '');
}

/** Advice for a command of another program, by its first words; undefined if there is none. */
export function insteadOf(words: readonly string[]): {readonly command: string; readonly advice: string} | undefined {
  for (let count = Math.min(words.length, 3); count > 0; count -= 1) {
    const command = words.slice(0, count).join(' ');
    const advice = adviceOn(command);
    if (advice !== undefined) return {command, advice};
  }
  return undefined;
}

/** For arguments (in capitals) and flags, what they are called in other tools. The first one that a command has is suggested. */
const calledElsewhere = {
  POLICY: ['f', 'file', 'filename'],
  LEFT: ['f', 'file', 'filename'],
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
  const advice = adviceOn(`${command} ${dashed}`);
  const meant = advice === undefined ? (here ?? (name.length > 1 ? nearest(name, flags) : undefined)) : undefined;
  return meant === undefined ? advice : `did you mean --${meant}?`;
}

/** Words with the same meaning in the name of a command. */
const alike: readonly (readonly string[])[] = [
  ['add', 'create', 'new', 'make', 'start'],
  ['delete', 'remove', 'rm', 'del', 'erase', 'forget'],
  ['get', 'show', 'view', 'info', 'cat', 'describe'],
  ['list', 'ls'],
  ['list', 'get'],
  ['lookup', 'contains', 'find', 'search'],
  ['update', 'edit', 'set', 'change', 'modify'],
  ['status', 'whoami', 'profiles'],
  ['status', 'list', 'ls'],
  ['switch', 'use', 'select'],
  ['login', 'signin'],
  ['logout', 'signout'],
  ['send', 'write', 'post', 'reply'],
  ['domain-blocks', 'domain', 'domains'],
  ['dm', 'messages', 'conversations'],
  ['auth', 'profile', 'profiles'],
];

const maxOffered = 3;

/** How far a typed word is from a word of a command: 0 for the same, 1 for one that means it, more for a mistyped one. */
function distanceOf(typed: string | undefined, word: string, slips = true): number {
  if (typed === undefined) return Number.POSITIVE_INFINITY;
  if (typed === word) return 0;
  const [verb = ''] = word.split('-');
  if (verb === typed || alike.some((words) => words.includes(typed) && (words.includes(verb) || words.includes(word)))) return 1;
  return slips && nearest(typed, [word]) !== undefined ? 2 : Number.POSITIVE_INFINITY;
}

/** The names with the least distance; none if all are too far. */
function closestOf(names: readonly string[], distance: (words: readonly string[]) => number): readonly string[] {
  const [first] = [...Map.groupBy(names, (name) => distance(name.split(' ')))].sort(([one], [other]) => one - other);
  return first === undefined || first[0] === Number.POSITIVE_INFINITY ? [] : first[1];
}

function candidates(typed: readonly string[], ids: readonly string[], topics: readonly string[]): readonly string[] {
  const [first = '', second = ''] = typed;
  const inOrder = (words: readonly string[]) => words.reduce((all, word, index) => all + distanceOf(typed[index], word), 0);
  // The verb may come first, as in kubectl: `get blocks`.
  const inAnyOrder = (words: readonly string[]) => {
    const [topic = '', verb = ''] = words;
    const swapped = words.length > 2 ? Number.POSITIVE_INFINITY : distanceOf(second, topic) + distanceOf(first, verb, false) + 1;
    return Math.min(inOrder(words), swapped);
  };
  const commands = ids.filter((id) => id.includes(' '));
  const helpOf = (isInner: boolean, distance: (words: readonly string[]) => number) => {
    const some = topics.filter((topic) => topic.includes(' ') === isInner);
    return closestOf(some, distance).map((topic) => `${topic} --help`);
  };
  const isVerb = alike.some((words) => words.includes(first));
  const found = [
    closestOf(commands, inAnyOrder),
    helpOf(true, inOrder),
    topics.filter((topic) => topic === first).map((topic) => `${topic} --help`),
    isVerb ? helpOf(false, ([word = '']) => distanceOf(second, word)) : [],
    closestOf(commands, (words) => distanceOf(first, words.at(-1) ?? '', false)),
    closestOf(ids, inOrder),
    helpOf(false, inOrder),
  ];
  return found.find((some) => some.length > 0) ?? [];
}

/** An error that suggests the command that was probably meant. It is never run automatically, and repeats no arguments, which may be secrets. */
export function noCommand(words: readonly string[], commandIds: readonly string[]): Failure {
  const ids = commandIds.map((known) => known.replaceAll(':', ' '));
  const topics = [...new Set(ids.flatMap((id) => id.split(' ').flatMap((_, index, path) => path.slice(0, index).join(' ') || [])))];
  const group = words.join(' ');
  if (topics.includes(group)) {
    const hint = ids.includes(`${group} list`) ? `did you mean \`pixelctl ${group} list\`?` : `see \`pixelctl ${group} --help\``;
    return new Failure('usage', `"${group}" is a group of commands`, {hint});
  }
  const other = insteadOf(words);
  // oclif takes surplus arguments for parts of a command's name.
  const command = ids.find((id) => group.startsWith(`${id} `));
  if (command !== undefined)
    return new Failure('usage', `Too many arguments (${words.length - command.split(' ').length} unexpected)`, {
      hint: other?.advice ?? `see \`pixelctl ${command} --help\``,
    });
  // A verb that was typed is kept if the suggested topic has it: who meant to read is not told to write.
  const isVerb = alike.some((some) => some.includes(words[1] ?? '')) || ids.some((id) => id.endsWith(` ${words[1]}`));
  const hint = other?.advice.replace(/(?<=^did you mean `pixelctl )(\S+) [\w-]+/, (guess, meant: string) => {
    const own = ids.filter((id) => id.startsWith(`${meant} `));
    const [kept = isVerb ? `${meant} --help` : guess] = closestOf(own, ([, verb = '']) => distanceOf(words[1], verb, !isVerb));
    return kept;
  });
  if (other !== undefined) return new Failure('usage', `Unknown command "${other.command}"`, {hint});
  const known = words.findLastIndex((_, index) => topics.includes(words.slice(0, index + 1).join(' '))) + 1;
  const topic = words.slice(0, known).join(' ');
  const typed = words.slice(0, known + 1).join(' ');
  const found = candidates(words, ids, topics);
  // A long list of suggestions helps nobody.
  const offered = (found.length > maxOffered ? [] : found).map((one) => `\`pixelctl ${one}\``);
  if (offered.length === 0) return new Failure('usage', `Unknown command "${typed}"`, {hint: 'see `pixelctl --help`'});
  const isOwnHelp = topic !== '' && found[0] === `${topic} --help`;
  return new Failure('usage', `Unknown command "${typed}"`, {
    hint: isOwnHelp ? `see ${offered[0]}` : `did you mean ${offered.join(' or ')}?`,
  });
}
