import {accountOfProfile} from '../auth/index.js';
import {Failure} from '../client/failure.js';
import {inert} from '../print/inert.js';
import type {Io} from './io.js';
import {accountOf, type Connection} from './connection.js';
import {knownProfiles} from './known-profiles.js';
import type {Session} from './session.js';

interface Choice<Value extends string> {
  readonly value: Value;
  readonly name: string;
}

type Question = {
  readonly type: 'confirm' | 'input' | 'password' | 'select';
  readonly message: string;
  readonly mask?: string;
  readonly default?: boolean;
  readonly choices?: Choice<string>[];
  readonly pageSize?: number;
};

/** What inquirer prints before a question, and after a yes-or-no question. */
const [before, behind] = ['? ', '(y/N)\u00a0No'];

/** Wraps a question at words. inquirer would wrap it anywhere. */
async function inLines(message: string, type: Question['type'], {err}: Io): Promise<string> {
  const {wrapWords} = await import('../print/width.js');
  const lines = wrapWords(`${before}${message}${type === 'confirm' ? ` ${behind}` : ''}`, err.width);
  return lines.slice(before.length, type === 'confirm' ? -behind.length : undefined).replace(/ $/, '');
}

/**
 * Asks on standard error.
 * @returns true or false for `confirm`, else a text
 * @param cancelled what is said if there is no answer
 * @throws Failure `interrupted` on Ctrl-C and Ctrl-D
 */
export async function prompt(io: Io, question: Question, cancelled = 'Cancelled.'): Promise<unknown> {
  const {default: inquirer} = await import('inquirer');
  const {stdin: input, stderr: output} = io.system;
  const inputEnd = new AbortController();
  // Without this, Ctrl-D would leave the prompt without an answer, and the process would end with status 0.
  const end = () => setImmediate(() => inputEnd.abort());
  const ask = inquirer.createPromptModule({input, output, signal: inputEnd.signal});
  const message = await inLines(inert(question.message), question.type, io);
  input.once('pause', end);
  try {
    return (await ask<{answer: unknown}>([{...question, name: 'answer', message}])).answer;
  } catch (error) {
    const isClosed = error instanceof Error && ['AbortPromptError', 'ExitPromptError'].includes(error.name);
    if (isClosed) throw new Failure('interrupted', cancelled, {reason: 'cancelled'});
    throw error;
  } finally {
    input.off('pause', end);
  }
}

/** The columns that a choice cannot use: those before it, and a free one at the end. */
const besideChoice = 3;

/** @throws Failure `interrupted` on Ctrl-C and Ctrl-D */
export async function choose<Value extends string>(io: Io, message: string, choices: readonly Choice<Value>[]): Promise<Value> {
  const {truncate} = await import('../print/width.js');
  const shown = choices.map(({name, value}) => ({value, name: truncate(inert(name), Math.max(1, io.err.width - besideChoice))}));
  const chosen = await prompt(io, {type: 'select', message, choices: shown, pageSize: shown.length});
  const found = choices.find(({value}) => value === chosen);
  if (found === undefined) throw new Error(`${String(chosen)} was not among the choices`);
  return found.value;
}

/**
 * Asks before something is destroyed.
 * @param number of people, which is typed in place of yes, so that nobody agrees by habit; they were counted by requests
 * @throws Failure `usage` when the answer is no; `interrupted` on Ctrl-C
 */
async function confirm(question: string, io: Io, number?: number): Promise<void> {
  const cancelled = `Cancelled. Nothing was ${number === undefined ? 'sent' : 'changed'}.`;
  const isAgreed =
    number === undefined
      ? (await prompt(io, {type: 'confirm', message: question, default: false}, cancelled)) === true
      : String(await prompt(io, {type: 'input', message: `${question} Type ${number} to confirm:`}, cancelled)).trim() === String(number);
  if (!isAgreed) throw new Failure('usage', cancelled, {reason: 'cancelled'});
}

const ownName = ({identity}: Connection): string | undefined => accountOfProfile(identity) ?? identity.profile?.name;

/** `@ana on pix.example`, without asking the server; the variable of the token where the account has no name. */
const knownActor = (connection: Connection): string =>
  `${ownName(connection) ?? `the account of ${connection.identity.tokenSource ?? 'no token'}`} on ${connection.server.host}`;

/** As {@link knownActor}, but asks the server if need be. */
export async function actor(connection: Connection): Promise<string> {
  const name = await accountOf(connection).catch(() => undefined);
  return name === undefined ? knownActor(connection) : `${name} on ${connection.server.host}`;
}

/** Who acts, in a note: `as @ana on pix.example`, or `using PIXELCTL_TOKEN on pix.example`. */
function actingText(connections: readonly Connection[]): string {
  const [first, ...others] = connections;
  const isUnknown = first !== undefined && others.length === 0 && ownName(first) === undefined;
  if (!isUnknown) return `as ${connections.map(knownActor).join(', ')}`;
  return `using ${first.identity.tokenSource ?? 'no token'} on ${first.identity.server.host}`;
}

/** Whether accounts could be mixed up. Unreadable profiles are reported elsewhere. */
async function hasSeveralProfiles(session: Session): Promise<boolean> {
  try {
    return (await (await knownProfiles(session)).list()).profiles.length > 1;
  } catch {
    return false;
  }
}

const protectedAmong = (connections: readonly Connection[]): Connection[] =>
  connections.filter(({identity}) => identity.profile?.isProtected === true);

/** Checks, before anything is printed, that somebody can confirm writes as these accounts. @throws Failure `usage` when nobody can */
export function requireAnswer({canAsk}: Io, connections: readonly Connection[] = []): void {
  if (canAsk) return;
  const protectedOnes = protectedAmong(connections);
  const [first, ...others] = protectedOnes;
  if (first === undefined) throw new Failure('usage', 'Confirmation needs a terminal: nothing was sent', {hint: 'pass --yes to confirm'});
  const names = protectedOnes.map(({identity}) => identity.profile?.name).join(', ');
  const what = others.length === 0 ? `The profile ${names} is protected` : `The profiles ${names} are protected`;
  throw new Failure('usage', `${what}, and confirmation needs a terminal: nothing was sent`, {
    hint: `pass --yes to act as ${protectedOnes.map(knownActor).join(', ')}`,
  });
}

/**
 * Asks for confirmation before writes that destroy something, or with a protected profile, unless `--yes` is given.
 * Then, if there are several profiles, prints which accounts are used.
 * @param what the writes in words, for a protected profile
 * @param question names what is affected; its last line is the question. Undefined where nothing is destroyed
 * @param typed the number that a person has to type in place of yes, if any
 * @throws Failure `usage` when nobody can answer, or the answer is no
 */
export async function allowWrites(
  connections: readonly Connection[],
  what: string,
  question: (() => Promise<string> | string) | undefined,
  session: Session,
  typed?: number,
): Promise<void> {
  const protectedOnes = protectedAmong(connections);
  if (!session.assumeYes && (question !== undefined || protectedOnes.length > 0)) {
    requireAnswer(session.io, connections);
    const words = (await question?.()) ?? `${what}?`;
    const names = protectedOnes.map(knownActor).join(', ');
    const warning = connections.length === 1 ? `This is ${names}, a protected profile.` : `Protected: ${names}.`;
    const lines = (names === '' ? words : `${words} ${warning}`).split('\n');
    for (const line of lines.slice(0, -1)) session.say(line);
    await confirm(lines.at(-1) ?? '', session.io, typed);
  }
  if (connections.length > 1 || (await hasSeveralProfiles(session))) session.tellUnlessQuiet(actingText(connections));
}
