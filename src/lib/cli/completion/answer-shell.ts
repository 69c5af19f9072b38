/** Answers a completion script: which words can come next. It runs on every Tab: it loads no command, and prints nothing else, whatever fails. */
import {configFolder, profilesFile} from '../../files/own-folder.js';
import {readTextNow} from '../../files/read-file.js';
import {itemsAt, textAt} from '../../json/path.js';
import type {Environment} from '../../files/runtime.js';
import type {Io} from '../io.js';
import type {CompletionTable, Flag, Node, Value} from './model.js';

/** A part of a word: quoted, perhaps without its end, after a backslash, or plain. */
const part = /'([^']*)'?|"((?:[^"\\]|\\[^])*)"?|\\([^]?)|([^\s'"\\]+)/g;
const wholeWord = new RegExp(`(?:${part.source})+`, 'g');

function withoutQuotes(word: string): string {
  const parts = Array.from(word.matchAll(part), ([, single, double, escaped, plain]) => {
    return single ?? double?.replaceAll(/\\([$`"\\])/g, '$1') ?? escaped ?? plain ?? '';
  });
  return parts.join('');
}

/** The words of an unfinished line, without quotes. The last one is empty after a space. */
export function wordsOfLine(line: string): string[] {
  const words = Array.from(line.matchAll(wholeWord), ([word]) => word);
  const last = words.at(-1);
  const isWithin = last !== undefined && line.endsWith(last);
  return [...words.map(withoutQuotes), ...(isWithin ? [] : [''])];
}

/** @param args `line` and the line up to the cursor, as bash splits words otherwise; else the number of words before it, and all words */
function questionOf([form, ...words]: readonly string[]): {readonly words: readonly string[]; readonly current: string} | undefined {
  if (form === 'line') {
    const [, ...typed] = wordsOfLine(words[0] ?? '');
    return {current: typed.pop() ?? '', words: typed};
  }
  const count = Number(form);
  return Number.isInteger(count) ? {words: words.slice(0, count), current: words[count] ?? ''} : undefined;
}

type Profiles = readonly {readonly name: string; readonly server: string}[];

interface Offered {
  readonly value: string;
  readonly about: string;
}

interface Offers {
  /** The start of the word that offers do not repeat: `--output=`, `home,`. */
  readonly lead: string;
  readonly items: readonly Offered[];
  /** Whether files are offered as well. */
  readonly files: boolean;
}

const isFlag = (word: string): boolean => word.length > 1 && word.startsWith('-');

/** @param text what is typed of the value: values before a comma are not offered again */
async function offersFor({known = [], profiles, files, isList}: Value, text: string, saved: () => Promise<Profiles>): Promise<Offers> {
  const lead = isList ? text.slice(0, text.lastIndexOf(',') + 1) : '';
  const found = profiles === undefined ? [] : await saved();
  const items = [
    ...known.map((value) => ({value, about: ''})),
    ...found.map(({name, server}) => ({value: name, about: server.replace(/^https:\/\//, '')})),
  ];
  const taken = lead.split(',');
  return {lead, items: items.filter(({value}) => !taken.includes(value)), files: files === true};
}

/**
 * Finds what can be typed at the end of a command line.
 * @param words those before the current one, without the program's name
 * @param current the word up to the cursor
 */
export async function completionsFor(
  {flags, nodes}: CompletionTable,
  words: readonly string[],
  current: string,
  saved: () => Promise<Profiles>,
): Promise<Offers> {
  let [command, isEnded] = ['', false];
  let asked: Flag | undefined;
  const typed: string[] = [];
  const flagsHere = (): Flag[] => (nodes[command]?.flags ?? []).flatMap((index) => flags[index] ?? []);
  const findFlag = (name: string): Flag | undefined => flagsHere().find(({names}) => names.includes(name));
  for (const word of words) {
    const below = [command, word.replaceAll(':', ' ')].filter((part) => part !== '').join(' ');
    if (asked !== undefined) asked = undefined;
    else if (!isEnded && word === '--') isEnded = true;
    else if (!isEnded && isFlag(word)) asked = [findFlag(word)].find((flag) => flag?.value !== undefined);
    else if (!isEnded && typed.length === 0 && Object.hasOwn(nodes, below)) command = below;
    else if (command !== '' || word !== 'help') typed.push(word);
  }
  if (asked?.value !== undefined) return offersFor(asked.value, current, saved);
  const flagNames = () => flagsHere().flatMap(({names, about}) => names.map((value) => ({value, about})));
  if (!isEnded && current.startsWith('-')) {
    const [, name = '', value = ''] = /^(--[^=]*)=(.*)$/s.exec(current) ?? [];
    const taken = findFlag(name)?.value;
    if (taken === undefined) return {lead: '', items: flagNames(), files: false};
    const offers = await offersFor(taken, value, saved);
    return {...offers, lead: `${name}=${offers.lead}`};
  }
  const {next = {}, arguments: args = []}: Partial<Node<number>> = nodes[command] ?? {};
  const last = args.at(-1);
  const argument = args[typed.length] ?? (last?.repeats ? last : undefined);
  const below = typed.length === 0 && !isEnded ? Object.entries(next).map(([value, about]) => ({value, about})) : [];
  if (argument !== undefined) {
    const offers = await offersFor(argument, current, saved);
    return {...offers, items: [...below, ...offers.items]};
  }
  // Where no word can follow, Tab shows the flags.
  return {lead: '', items: below.length === 0 && current === '' && !isEnded ? flagNames() : below, files: false};
}

/** The profiles that commands would use; none if they cannot be read. */
async function profilesIn(environment: Environment): Promise<Profiles> {
  if ((environment['PIXELCTL_PROFILES'] ?? '') === '') return savedProfiles(environment);
  const {environmentProfiles} = await import('../../auth/environment.js');
  try {
    return (await environmentProfiles(environment)?.list())?.profiles ?? [];
  } catch {
    return [];
  }
}

/** The saved profiles, read without validation, which takes long to load. */
function savedProfiles(environment: Environment): Profiles {
  try {
    const folder = configFolder(environment);
    const saved: unknown = folder === undefined ? undefined : JSON.parse(readTextNow(profilesFile(folder)));
    return (itemsAt(saved, ['profiles']) ?? []).flatMap((profile) => {
      const [name, server] = [textAt(profile, ['name']), textAt(profile, ['server'])];
      return name === undefined || server === undefined ? [] : [{name, server}];
    });
  } catch {
    return [];
  }
}

/**
 * Prints three lines: the start of the word that candidates leave out, `files` if the shell offers files as well, and the word. Each
 * candidate follows, with a tab and what it is for. The shell decides which of them fit the word.
 * @param args what follows the word that the scripts call the program with
 */
export async function answerShell(args: readonly string[], table: CompletionTable, io: Io): Promise<void> {
  const question = questionOf(args);
  if (question === undefined) return;
  const {lead, items, files} = await completionsFor(table, question.words, question.current, () => profilesIn(io.env));
  const candidates = items.map(({value, about}) => `${value}\t${about}`);
  await io.write(`${[lead, files ? 'files' : '', question.current, ...candidates].join('\n')}\n`, 'data');
}
