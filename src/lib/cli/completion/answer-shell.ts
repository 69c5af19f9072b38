/** Answers a completion script: which words can come next. It prints nothing else, whatever fails. */
import {configFolder, profilesFile} from '../../files/own-folder.js';
import {readTextNow} from '../../files/read-file.js';
import {itemsAt, textAt} from '../../json/path.js';
import type {Environment} from '../../files/runtime.js';
import type {Io} from '../io.js';
import {completionsFor, type Known} from './complete.js';
import type {CompletionTable} from './model.js';

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

type Profiles = Awaited<ReturnType<Known['profiles']>>;

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
  const {lead, items, files} = await completionsFor(table, question.words, question.current, {profiles: () => profilesIn(io.env)});
  const candidates = items.map(({value, about}) => `${value}\t${about}`);
  await io.write(`${[lead, files ? 'files' : '', question.current, ...candidates].join('\n')}\n`, 'data');
}
