/** Files that are written aside and then put in their place in one step. */
import {randomBytes} from 'node:crypto';
import {open, readdir, rm, stat} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';

/** Milliseconds after which a temporary file has no writer any more: writing one takes an instant. */
const abandonedAfter = 60_000;

const prefixOf = (path: string): string => `.${basename(path)}.`;
const ending = '.temporary';

export interface Writing {
  /** Permissions, whatever the umask. */
  readonly mode: number;
  /** Whether the text has to outlive a power cut. */
  readonly durable: boolean;
}

/** Writes a text next to a path and says where. Nothing is left when that fails. */
export async function writeTemporary(path: string, text: string, {mode, durable}: Writing): Promise<string> {
  const temporary = join(dirname(path), `${prefixOf(path)}${process.pid}-${randomBytes(6).toString('hex')}${ending}`);
  const file = await open(temporary, 'wx', 0o600);
  try {
    try {
      await file.chmod(mode);
      await file.writeFile(text);
      if (durable) await file.sync();
    } finally {
      await file.close();
    }
    return temporary;
  } catch (error) {
    await rm(temporary, {force: true});
    throw error;
  }
}

/** Removes what killed processes left next to a path. Never fails: whatever stays does no harm. */
export async function sweepTemporary(path: string): Promise<void> {
  const folder = dirname(path);
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(prefixOf(path)) || !name.endsWith(ending)) continue;
    const file = join(folder, name);
    const age = await stat(file).then(
      ({mtimeMs}) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > abandonedAfter) await rm(file, {force: true}).catch(() => {});
  }
}
