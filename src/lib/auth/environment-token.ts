/** The access tokens in the environment, and what their variables are called. None of them is ever stored. */
import {cannotRead} from '../client/failure.js';
import {readGivenText} from '../files/read-text.js';
import {refuseOddToken} from '../client/transport.js';
import type {Environment} from '../files/runtime.js';

const variables = ['PIXELCTL_TOKEN', 'PIXELCTL_TOKEN_FILE'] as const;

export type TokenVariable = (typeof variables)[number];

/** The variable that holds the token; undefined when none is set. */
export function tokenVariable(environment: Environment): TokenVariable | undefined {
  return variables.find((name) => (environment[name] ?? '').trim() !== '');
}

export const profilesVariable = 'PIXELCTL_PROFILES';

/** Whether the environment defines the profiles: then the saved ones are not read. */
export function definesProfiles(environment: Environment): boolean {
  return (environment[profilesVariable] ?? '').trim() !== '';
}

/** How the names of a profile's variables end: for `my-bot`, it is `MY_BOT`. */
export const suffixOf = (profile: string): string => profile.toUpperCase().replaceAll(/[.-]/g, '_');

/** @param form the name of a variable that ends in NAME */
export const inPlaceOfName = (form: string, profile: string): string => form.replace(/NAME$/, suffixOf(profile));

export const tokenVariableOf = (profile: string): string => inPlaceOfName('PIXELCTL_TOKEN_NAME', profile);

/**
 * A pasted token without white space around it; undefined when it is empty.
 * @throws Failure `usage` for text that cannot be a token; the message does not repeat it
 */
export function checkedToken(text: string, source: string): string | undefined {
  const token = text.trim();
  if (token === '') return undefined;
  refuseOddToken(token, source);
  return token;
}

/** @throws Failure `local` when the file cannot be read, `usage` when it is not a token */
export async function environmentToken(environment: Environment): Promise<string | undefined> {
  const name = tokenVariable(environment);
  if (name === undefined) return undefined;
  const value = environment[name] ?? '';
  if (name === 'PIXELCTL_TOKEN') return checkedToken(value, name);
  const text = await readGivenText(value).catch(cannotRead(`the file of PIXELCTL_TOKEN_FILE (${value})`));
  return checkedToken(text, `The file ${value}`);
}
