import {Failure} from '../client/failure.js';
import {nearest} from '../json/nearest.js';
import {guesses} from './guesses.js';

/** Verbs with the same meaning. */
const alike: readonly (readonly string[])[] = [
  ['add', 'create', 'new', 'make', 'start'],
  ['delete', 'remove', 'rm', 'del', 'erase', 'forget'],
  ['get', 'show', 'view', 'info', 'cat', 'describe'],
  ['list', 'ls'],
  ['update', 'edit', 'set', 'change', 'modify'],
  ['status', 'whoami', 'profiles'],
  ['status', 'list', 'ls'],
  ['switch', 'use', 'select'],
  ['login', 'signin'],
  ['logout', 'signout'],
  ['send', 'write', 'post', 'reply'],
];

/** Common names for commands that have another name here. */
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

const topicsMeant: ReadonlyMap<string, string> = new Map([
  ['domain', 'domain-blocks'],
  ['domains', 'domain-blocks'],
  ['messages', 'dm'],
  ['conversations', 'dm'],
  ['profiles', 'auth'],
]);

/** Advice for a command of another program; undefined if there is none. */
export function insteadOf(words: readonly string[]): {readonly command: string; readonly advice: string} | undefined {
  for (const [command, advice] of guesses) if (`${words.join(' ')} `.startsWith(`${command} `)) return {command, advice};
  return undefined;
}

const maxOffered = 3;

const verbOf = (id: string): string => id.split(' ').at(-1) ?? '';

/** Whether a command ends in a verb with the same meaning: `delete` and `delete-message` for `rm`. */
function isAlike(verb: string, id: string): boolean {
  const [own = ''] = verbOf(id).split('-');
  return own === verb || alike.some((verbs) => verbs.includes(verb) && verbs.includes(own));
}

/** The commands of a topic that a verb probably means. */
function within(topic: string, verb: string, ids: readonly string[]): readonly string[] {
  const own = ids.filter((id) => id.startsWith(`${topic} `));
  const exact = own.filter((id) => verbOf(id) === verb);
  if (exact.length > 0) return exact;
  const similar = own.filter((id) => isAlike(verb, id));
  const near = nearest(verb, own.map(verbOf));
  return similar.length > 0 ? similar : own.filter((id) => verbOf(id) === near);
}

/** Joins the words of the longest topic that the words begin with. */
function withTopic(words: readonly string[], topics: readonly string[]): readonly string[] {
  const end = words.findLastIndex((_, index) => topics.includes(words.slice(0, index + 1).join(' '))) + 1;
  return end === 0 ? words : [words.slice(0, end).join(' '), ...words.slice(end)];
}

function candidates([first = '', second, third]: readonly string[], ids: readonly string[], topics: readonly string[]): readonly string[] {
  const topicOf = (word: string) => (topics.includes(word) ? word : (topicsMeant.get(word) ?? nearest(word, topics)));
  const topic = topicOf(first);
  const isVerb = topic === undefined && alike.some((verbs) => verbs.includes(first));
  const object = isVerb && second !== undefined ? topicOf(second) : undefined;
  // The verb comes first, as in kubectl: `get blocks`.
  if (object !== undefined) {
    const lists = first === 'get' ? within(object, 'list', ids) : [];
    return [...within(object, first, ids), ...lists, `${object} --help`].slice(0, 1);
  }
  const inTopic = topic === undefined || second === undefined ? [] : within(topic, second, ids);
  if (inTopic.length > 0) return inTopic;
  const inner = nearest(
    `${first} ${second}`,
    topics.filter((one) => one.startsWith(`${first} `)),
  );
  const inside = inner === undefined || third === undefined ? [] : within(inner, third, ids);
  if (inner !== undefined) return inside.length > 0 ? inside : [`${inner} --help`];
  if (topics.includes(first)) return [`${first} --help`];
  const own = meant.get(first);
  if (own !== undefined) return [own];
  const exact = ids.filter((id) => verbOf(id) === first);
  const similar = exact.length > 0 ? exact : ids.filter((id) => id.includes(' ') && isAlike(first, id));
  if (similar.length > 0) return similar;
  const near = nearest(
    first,
    ids.filter((id) => !id.includes(' ')),
  );
  return near === undefined ? (topic === undefined ? [] : [`${topic} --help`]) : [near];
}

/** oclif takes surplus arguments for parts of a command's name. They are not repeated, because they may be secrets. */
function surplus(words: readonly string[], ids: readonly string[]): Failure | undefined {
  const command = ids.find((id) => words.join(' ').startsWith(`${id} `));
  if (command === undefined) return undefined;
  const count = words.length - command.split(' ').length;
  return new Failure('usage', `Too many arguments (${count} unexpected)`, {
    hint: insteadOf(words)?.advice ?? `see \`pixelctl ${command} --help\``,
  });
}

/** An error that suggests the command that was probably meant. It is never run automatically. */
export function noCommand(words: readonly string[], commandIds: readonly string[]): Failure {
  const ids = commandIds.map((known) => known.replaceAll(':', ' '));
  const topicsAbove = (id: string) => id.split(' ').flatMap((_, index, path) => (index === 0 ? [] : path.slice(0, index).join(' ')));
  const topics = [...new Set(ids.flatMap(topicsAbove))];
  const group = words.join(' ');
  if (topics.includes(group)) {
    const hint = ids.includes(`${group} list`) ? `did you mean \`pixelctl ${group} list\`?` : `see \`pixelctl ${group} --help\``;
    return new Failure('usage', `"${group}" is a group of commands`, {hint});
  }
  const tooMany = surplus(words, ids);
  if (tooMany !== undefined) return tooMany;
  const other = insteadOf(words);
  if (other !== undefined) return new Failure('usage', `Unknown command "${other.command}"`, {hint: other.advice});
  const named = withTopic(words, topics);
  const [first = ''] = named;
  const typed = named.slice(0, topics.includes(first) ? 2 : 1).join(' ');
  const meantIds = candidates(named, ids, topics);
  // A long list of suggestions helps nobody.
  const offered = (meantIds.length > maxOffered ? [] : meantIds).map((command) => `\`pixelctl ${command}\``);
  const isOwnHelp = topics.includes(first) && offered[0] === `\`pixelctl ${first} --help\``;
  const hint = offered.length === 0 ? 'see `pixelctl --help`' : isOwnHelp ? `see ${offered[0]}` : `did you mean ${offered.join(' or ')}?`;
  return new Failure('usage', `Unknown command "${typed}"`, {hint});
}
