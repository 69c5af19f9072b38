/** Answers a completion script: which words can come next. It prints nothing else, whatever fails. */
import {configFolder, profilesFile} from '../../files/own-folder.js';
import {readTextNow} from '../../files/read-file.js';
import {itemsAt, textAt} from '../../json/path.js';
import type {Environment} from '../../files/runtime.js';
import type {Io} from '../io.js';
import {bashAnswer, wordsOfBash} from './bash.js';
import {completionsFor, type Known, type Offers} from './complete.js';
import {fishAnswer} from './fish.js';
import type {CompletionTable} from './model.js';
import {powershellAnswer} from './powershell.js';
import {zshAnswer} from './zsh.js';

/** A line, and how the shell wants the answer. */
interface Question {
  readonly words: readonly string[];
  readonly current: string;
  readonly answer: (offers: Offers) => string[];
}

/** COMP_TYPE where bash puts candidates into the line one after the other. */
const menuTypes = ['37', '42'];

function questionOf([shell, ...rest]: readonly string[]): Question | undefined {
  if (shell === 'bash') {
    const [type = '', line = '', text = ''] = rest;
    const [, ...words] = wordsOfBash(line);
    const current = words.pop() ?? '';
    return {words, current, answer: (offers) => bashAnswer(offers, current, {line, text, isListing: !menuTypes.includes(type)})};
  }
  const [count = '0', ...words] = rest;
  const current = words[Number(count)] ?? '';
  const question = {words: words.slice(0, Number(count)), current};
  if (shell === 'zsh') return {...question, answer: zshAnswer};
  if (shell === 'fish') return {...question, answer: fishAnswer};
  return shell === 'powershell' ? {...question, answer: (offers) => powershellAnswer(offers, current)} : undefined;
}

type Profiles = Awaited<ReturnType<Known['profiles']>>;

/** The profiles that commands would use; none where that is an error. */
async function profilesIn(environment: Environment): Promise<Profiles> {
  if ((environment['PIXELCTL_PROFILES'] ?? '') === '') return savedProfiles(environment);
  const {environmentProfiles} = await import('../../auth/environment-profiles.js');
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

/** @param args what follows the word that the scripts call the program with */
export async function answerShell(args: readonly string[], table: CompletionTable, io: Io): Promise<void> {
  const question = questionOf(args);
  if (question === undefined) return;
  const offers = await completionsFor(table, question.words, question.current, {profiles: () => profilesIn(io.env)});
  await io.write(`${question.answer(offers).join('\n')}\n`, 'data');
}
