/** JSON files that only their owner can read. */
import * as z from 'zod/mini';
import {readPrivate} from '../files/private-file.js';
import {writeWhole} from '../files/whole-file.js';
import {parseExact} from '../json/exact.js';

export class CorruptFile extends Error {
  override readonly name = 'CorruptFile';
  readonly path: string;

  /** @param fault what is wrong, without any content of the file: it may be a secret */
  constructor(path: string, fault: string) {
    super(`${path} is corrupt: ${fault}`);
    this.path = path;
  }
}

/**
 * @returns undefined when there is no such file
 * @throws CorruptFile when its content is invalid; NotPrivate when others could read or change it
 */
export async function readJson<Value>(path: string, shape: z.ZodMiniType<Value>): Promise<Value | undefined> {
  const text = await readPrivate(path);
  if (text === undefined) return undefined;
  let value;
  try {
    value = parseExact(text);
  } catch {
    // The parser's message quotes the text, which may be a secret.
    throw new CorruptFile(path, 'it is not JSON');
  }
  const {data, error} = shape.safeParse(value);
  if (error === undefined) return data;
  throw new CorruptFile(path, `${error.issues[0]?.path.join('.') || 'its content'} is invalid`);
}

export function writeJson(path: string, value: unknown): Promise<void> {
  return writeWhole(path, `${JSON.stringify(value, null, 2)}\n`);
}
