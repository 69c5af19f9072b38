/** The limits that a server publishes, kept for ten minutes; asking is quick or given up, and never needed. */
import {createHash} from 'node:crypto';
import {join} from 'node:path';
import * as z from 'zod/mini';
import {getConfiguration} from '../api/config.js';
import {secureFolder} from '../files/own-folder.js';
import {readText} from '../files/read-file.js';
import {writeWhole} from '../files/whole-file.js';
import type {Client} from './client.js';
import {Failure} from './failure.js';

/** Milliseconds that an answer is kept. */
const keptFor = 10 * 60 * 1000;

/** Milliseconds that asking may take. */
export const longestAsking = 2000;

const count = z.catch(z.optional(z.int().check(z.nonnegative())), undefined);

/** Of the configuration what is looked at before sending. Every part may be absent, or unreadable, which is the same. */
const shape = z.object({
  max_characters: count,
  max_media_attachments: count,
  groups_enabled: z.catch(z.optional(z.boolean()), undefined),
  max_participants: count,
  image_size_limit: count,
  video_size_limit: count,
  supported_mime_types: z.catch(z.optional(z.array(z.string())), undefined),
});

/** The limits of `limits.direct_messages` and `limits.media` (section 8). Sizes are bytes, texts are code points. */
export type Limits = z.infer<typeof shape>;

const kept = z.object({at: z.number(), limits: shape});

function members(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? {...value} : {};
}

function limitsIn(configuration: unknown): Limits {
  const {direct_messages: messages, media} = members(members(configuration)['limits']);
  const groups = members(members(messages)['group_chats']);
  return shape.parse({
    ...members(messages),
    ...members(media),
    groups_enabled: groups['enabled'],
    max_participants: groups['max_participants'],
  });
}

async function readKept(folder: string, file: string, now: number): Promise<Limits | undefined> {
  try {
    secureFolder(folder, {make: false});
    const {at, limits} = kept.parse(JSON.parse(await readText(join(folder, file))));
    return at <= now && now - at < keptFor ? limits : undefined;
  } catch {
    return undefined;
  }
}

/** A folder that cannot be used only means that the server is asked again. */
async function keep(folder: string, file: string, limits: Limits, now: number): Promise<void> {
  try {
    secureFolder(folder, {make: true});
    await writeWhole(join(folder, file), JSON.stringify({at: now, limits}));
  } catch {
    // What is not kept is asked for again.
  }
}

/**
 * The limits of a server. A server that cannot say them (older ones cannot) has none, and is not asked again for a while.
 * @param client asks the server; made only when it has to be asked
 * @param folder where answers are kept, one file for each server; undefined: nowhere
 */
export async function publishedLimits(origin: string, client: () => Client, folder: string | undefined): Promise<Limits> {
  const now = Date.now();
  const file = `limits-${createHash('sha256').update(origin).digest('hex').slice(0, 16)}.json`;
  const known = folder === undefined ? undefined : await readKept(folder, file, now);
  if (known !== undefined) return known;
  const asking = client();
  try {
    const limits = limitsIn((await asking.call(getConfiguration, {})).value);
    if (folder !== undefined) await keep(folder, file, limits, now);
    return limits;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === 'not_found' && folder !== undefined) await keep(folder, file, {}, now);
    return {};
  } finally {
    await asking.close();
  }
}
