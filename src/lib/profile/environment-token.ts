/** The access token that the environment brings; nothing of it is stored. */
import {readFile} from 'node:fs/promises';
import {Failure, localFailure} from '../client/failure.js';

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
export async function environmentToken(environment: Readonly<Record<string, string | undefined>>): Promise<string | undefined> {
  const given = checkedToken(environment['PIXELCTL_TOKEN'] ?? '', 'PIXELCTL_TOKEN');
  if (given !== undefined) return given;
  const file = environment['PIXELCTL_TOKEN_FILE'] ?? '';
  if (file === '') return undefined;
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw localFailure(`Cannot read the file that PIXELCTL_TOKEN_FILE names (${file})`, error);
  });
  return checkedToken(text, `The file ${file}`);
}
