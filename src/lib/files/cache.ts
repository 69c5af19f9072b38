/** Caches are small private files with answers of servers, for later runs. A cache that cannot be read or written is no error. */
import {dirname} from 'node:path';
import type * as z from 'zod/mini';
import {secureFolder} from './own-folder.js';
import {readPrivate} from './private-file.js';
import {writeWhole} from './whole-file.js';

/** A day in milliseconds. */
export const day = 24 * 60 * 60 * 1000;

/**
 * Whether a cached answer may still be used. One with a time in the future was written while the clock was wrong.
 * @param at when it was cached, in milliseconds since 1970, as `now`
 * @param lifetime milliseconds
 */
export const isFresh = (at: number, lifetime: number, now: number): boolean => at <= now && now - at < lifetime;

/** @returns undefined when there is no such file, or one that cannot be used */
export async function readCache<Schema extends z.ZodMiniType>(path: string, schema: Schema): Promise<z.output<Schema> | undefined> {
  try {
    return schema.parse(JSON.parse((await readPrivate(path)) ?? ''));
  } catch {
    return undefined;
  }
}

/**
 * Replaces a cache in one step, so that other processes read the old one or the new one. A link is replaced, too: it leads to no cache.
 * @returns whether it could be written; if not, the server is asked again next time
 */
export async function writeCache(path: string, content: unknown): Promise<boolean> {
  try {
    secureFolder(dirname(path), {make: true});
    await writeWhole(path, JSON.stringify(content), {followsLinks: false});
    return true;
  } catch {
    return false;
  }
}
