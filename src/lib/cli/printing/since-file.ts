/** The file that remembers, from one run to the next, which item was printed last. */
import {Failure, localFailure} from '../../client/failure.js';
import {readTextIfThere} from '../../client/text-input.js';
import {writeWhole} from '../../files/whole-file.js';

/**
 * @returns undefined when there is no such file yet
 * @throws Failure `local` when it cannot be read, or holds anything but an id
 */
export async function readSince(path: string): Promise<string | undefined> {
  const text = await readTextIfThere(path, path, 'file');
  const id = /^(\d{1,40})\n?$/.exec(text ?? '')?.[1];
  if (text === undefined || id !== undefined) return id;
  throw new Failure('local', `${path} does not hold the id of an item: nothing was sent`, {
    hint: 'write the last id that you have into it, or remove it to begin with what comes from now on',
  });
}

/** @throws Failure `local` */
export async function writeSince(path: string, id: string): Promise<void> {
  try {
    await writeWhole(path, `${id}\n`);
  } catch (error) {
    throw localFailure(`Cannot write ${path}`, error);
  }
}
