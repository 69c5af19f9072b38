/** Answers a completion script: which words can come next. It prints nothing else, whatever fails. */
import type {IdentityRequest, KnownProfiles, Profile} from '../../auth/index.js';
import {configFolder, profilesFile} from '../../files/own-folder.js';
import {readTextNow} from '../../files/read-file.js';
import {itemsAt, textAt} from '../../json/path.js';
import type {Environment} from '../../files/runtime.js';
import type {Io} from '../io.js';
import {bashAnswer, wordsOfBash} from './bash.js';
import {completionsFor, type Offered, type Known, type Offers} from './complete.js';
import {fishAnswer} from './fish.js';
import type {CompletionTable} from './model.js';
import {powershellAnswer} from './powershell.js';
import {readSeen} from './seen.js';
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

type Profiles = Awaited<ReturnType<KnownProfiles['list']>>;

/** The profiles that commands would use; none where that is an error. */
async function profilesIn(environment: Environment): Promise<Profiles> {
  if ((environment['PIXELCTL_PROFILES'] ?? '') === '') return savedProfiles(environment);
  const {environmentProfiles} = await import('../../auth/environment-profiles.js');
  try {
    return {active: null, profiles: [], ...(await environmentProfiles(environment)?.list())};
  } catch {
    return {active: null, profiles: []};
  }
}

/** The saved profiles, read without validation, which takes long to load. What is missing in one is filled in. */
function savedProfiles(environment: Environment): Profiles {
  try {
    const folder = configFolder(environment);
    const saved: unknown = folder === undefined ? undefined : JSON.parse(readTextNow(profilesFile(folder)));
    const profiles = (itemsAt(saved, ['profiles']) ?? []).flatMap((profile): Profile[] => {
      const [name, server] = [textAt(profile, ['name']), textAt(profile, ['server'])];
      const [id, acct = ''] = [textAt(profile, ['account', 'id']), textAt(profile, ['account', 'acct'])];
      const expiresAt = textAt(profile, ['expiresAt']) ?? null;
      const storage = textAt(profile, ['storage']) === 'file' ? 'file' : 'keyring';
      const rest = {expiresAt, storage, scopes: null, isProtected: true, isAdmin: false, client: null} as const;
      return name === undefined || server === undefined ? [] : [{name, server, account: id === undefined ? null : {id, acct}, ...rest}];
    });
    return {active: textAt(saved, ['active']) ?? null, profiles};
  } catch {
    return {active: null, profiles: []};
  }
}

/** The items of a list of the account that a command would act on. */
async function listedItems(endpoint: string, flags: ReadonlyMap<string, string>, io: Io): Promise<readonly Offered[]> {
  const {profileInUse} = await import('../../auth/identity.js');
  const known = await profilesIn(io.env);
  const named = (name: string): Profile | undefined => known.profiles.find((profile) => profile.name === name);
  const request: IdentityRequest = {
    server: flags.get('--server'),
    profile: flags.get('--profile'),
    environment: io.env,
    profiles: {
      list: async () => known,
      async get(name) {
        const found = named(name);
        if (found === undefined) throw new Error(`There is no profile ${name}`);
        return found;
      },
    },
  };
  const owner = named((await profileInUse({...request, allowHttp: true}))?.name ?? '');
  const seen = owner && readSeen(endpoint, owner, io.env, io.now().getTime());
  if (seen !== undefined || io.env['PIXELCTL_COMPLETE_LIVE'] !== '1') return seen ?? [];
  const {askList} = await import('./live.js');
  return askList(endpoint, {request, flags, io});
}

/** @param args what follows the word that the scripts call the program with */
export async function answerShell(args: readonly string[], table: CompletionTable, io: Io): Promise<void> {
  const question = questionOf(args);
  if (question === undefined) return;
  const known: Known = {
    profiles: async () => (await profilesIn(io.env)).profiles,
    listed: (endpoint, flags) => listedItems(endpoint, flags, io).catch(() => []),
  };
  const offers = await completionsFor(table, question.words, question.current, known);
  await io.write(`${question.answer(offers).join('\n')}\n`, 'data');
}
