/** The access token that the environment brings; nothing of it is stored. */
import {Failure} from '../client/failure.js';
import {readTextFile} from '../client/text-input.js';

type Environment = Readonly<Record<string, string | undefined>>;

const variables = ['PIXELCTL_TOKEN', 'PIXELCTL_TOKEN_FILE'] as const;

export type TokenVariable = (typeof variables)[number];

/** The variable that brings the token; undefined when none does. */
export function tokenVariable(environment: Environment): TokenVariable | undefined {
  return variables.find((name) => (environment[name] ?? '').trim() !== '');
}

/**
 * A token as somebody pasted it, without the space around it; undefined when there is nothing else.
 * @throws Failure `usage` for what cannot be a token; it is not repeated
 */
export function checkedToken(text: string, source: string): string | undefined {
  const token = text.trim();
  if (token === '') return undefined;
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new Failure('usage', `${source} does not hold an access token`, {
      hint: 'a token is one word of plain letters, digits and signs',
    });
  }
  return token;
}

/** @throws Failure `local` when the file cannot be read, `usage` when it holds something else */
export async function environmentToken(environment: Environment): Promise<string | undefined> {
  const name = tokenVariable(environment);
  if (name === undefined) return undefined;
  const value = environment[name] ?? '';
  if (name === 'PIXELCTL_TOKEN') return checkedToken(value, name);
  const text = await readTextFile(value, `the file that PIXELCTL_TOKEN_FILE names (${value})`);
  return checkedToken(text, `The file ${value}`);
}
