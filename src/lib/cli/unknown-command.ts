import {Failure} from '../client/failure.js';
import {nearest} from '../json/nearest.js';
import {insteadOf} from './guesses.js';

/** Words with the same meaning in the name of a command. */
const alike: readonly (readonly string[])[] = [
  ['add', 'create', 'new', 'make', 'start'],
  ['delete', 'remove', 'rm', 'del', 'erase', 'forget'],
  ['get', 'show', 'view', 'info', 'cat', 'describe'],
  ['list', 'ls'],
  ['list', 'get'],
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

/** Words for commands of which no word has this meaning. */
const meant: ReadonlyMap<string, string> = new Map([
  ['block', 'blocks add'],
  ['unblock', 'blocks remove'],
  ['mute', 'mutes add'],
  ['unmute', 'mutes remove'],
  ['init', 'auth login'],
  ['serve', 'sandbox'],
  ['profile', 'auth status'],
  ['profiles', 'auth status'],
  ['message', 'dm send'],
  ['messages', 'dm list'],
  ['conversations', 'dm list'],
  ['search', 'dm lookup'],
  ['lint', 'validate'],
]);

const maxOffered = 3;

/** How far a typed word is from a word of a command: 0 for the same, 1 for one that means it, more for a mistyped one. */
function distanceOf(typed: string | undefined, word: string, slips = true): number {
  if (typed === undefined) return Number.POSITIVE_INFINITY;
  if (typed === word) return 0;
  const [verb = ''] = word.split('-');
  if (verb === typed || alike.some((words) => words.includes(typed) && (words.includes(verb) || words.includes(word)))) return 1;
  return slips && nearest(typed, [word]) !== undefined ? 2 : Number.POSITIVE_INFINITY;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** The names with the least distance; none if all are too far. */
function closestOf(names: readonly string[], distance: (words: readonly string[]) => number): readonly string[] {
  const [first] = [...Map.groupBy(names, (name) => distance(name.split(' ')))].sort(([one], [other]) => one - other);
  return first === undefined || first[0] === Number.POSITIVE_INFINITY ? [] : first[1];
}

function candidates(typed: readonly string[], ids: readonly string[], topics: readonly string[]): readonly string[] {
  const [first = '', second = ''] = typed;
  const inOrder = (words: readonly string[]) => sum(words.map((word, index) => distanceOf(typed[index], word)));
  // The verb may come first, as in kubectl: `get blocks`.
  const inAnyOrder = ([topic = '', verb = '', ...more]: readonly string[]) =>
    more.length > 0
      ? inOrder([topic, verb, ...more])
      : Math.min(inOrder([topic, verb]), distanceOf(second, topic) + distanceOf(first, verb, false) + 1);
  const isVerb = alike.some((words) => words.includes(first));
  const [inner, outer] = [topics.filter((topic) => topic.includes(' ')), topics.filter((topic) => !topic.includes(' '))];
  const helpOf = (some: readonly string[]) => some.map((topic) => `${topic} --help`);
  const commands = ids.filter((id) => id.includes(' '));
  const found = [
    closestOf(commands, inAnyOrder),
    helpOf(closestOf(inner, inOrder)),
    helpOf(outer.filter((topic) => topic === first)),
    [meant.get(first) ?? []].flat(),
    isVerb ? helpOf(closestOf(outer, ([word = '']) => distanceOf(second, word))) : [],
    closestOf(commands, (words) => distanceOf(first, words.at(-1) ?? '', false)),
    closestOf(ids, inOrder),
    helpOf(closestOf(outer, inOrder)),
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
  if (other !== undefined) return new Failure('usage', `Unknown command "${other.command}"`, {hint: other.advice});
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
