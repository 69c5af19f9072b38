import {readStandardInput} from './standard-streams.js';

/** A text as typed, or all of standard input for `-`; the line end that every file has is not part of it. */
export async function textOrStandardInput(text: string): Promise<string> {
  return text === '-' ? (await readStandardInput()).replace(/\r?\n$/, '') : text;
}
