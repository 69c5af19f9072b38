/** What a POSIX shell makes of a line without expansions: POSIX.1-2024, "Shell Command Language", 2.2 Quoting and 2.3 Token Recognition. */

/** A line that this model does not read, because a shell would do more with it than split it into words. */
export class MoreThanWords extends Error {
  name = 'MoreThanWords';
}

/** Characters with a meaning outside quotes. A tilde, a hash, a brace or a bang have one in some places of some shells. */
const active = new Set(['|', '&', ';', '<', '>', '(', ')', '$', '`', '*', '?', '[', ']', '#', '~', '!', '{', '}', '^', '=']);
/** Those that have one only where a word begins. */
const activeAtStart = new Set(['~', '#', '=', '!']);
const escapedInDouble = new Set(['$', '`', '"', '\\']);

/**
 * @param {string} line
 * @param {ReadonlyMap<string, string>} variables what `$NAME` in double quotes stands for
 * @returns {string[]}
 * @throws MoreThanWords
 */
export function wordsOf(line, variables = new Map()) {
  const words = [];
  let word;
  const add = (text) => (word = (word ?? '') + text);
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at];
    if (character === '\\') {
      at += 1;
      if (at === line.length) throw new MoreThanWords('a backslash at the end');
      if (line[at] !== '\n') add(line[at]);
    } else if (character === "'") {
      const end = line.indexOf("'", at + 1);
      if (end === -1) throw new MoreThanWords('an open quote');
      add(line.slice(at + 1, end));
      at = end;
    } else if (character === '"') at = addDouble(line, at + 1, add, variables);
    else if (character === ' ' || character === '\t') {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (character === '\n') throw new MoreThanWords('a second command');
    else if (active.has(character) && (word === undefined || !activeAtStart.has(character)))
      throw new MoreThanWords(`${character} outside quotes`);
    else add(character);
  }
  return word === undefined ? words : [...words, word];
}

/** @returns where the quote ends */
function addDouble(line, start, add, variables) {
  add('');
  for (let at = start; at < line.length; at += 1) {
    const character = line[at];
    if (character === '"') return at;
    if (character === '\\' && escapedInDouble.has(line[at + 1])) {
      at += 1;
      add(line[at]);
    } else if (character === '\\' && line[at + 1] === '\n') at += 1;
    else if (character === '$') {
      const [whole, name] = /^\$(\w+)/.exec(line.slice(at, at + 100)) ?? [];
      if (!variables.has(name)) throw new MoreThanWords('an expansion');
      add(variables.get(name));
      at += whole.length - 1;
    } else if (character === '`') throw new MoreThanWords('an expansion');
    else add(character);
  }
  throw new MoreThanWords('an open quote');
}
