/** The limits that a server publishes, and checks against them. Reading them is optional and has a short timeout. */
import * as z from 'zod/mini';
import {getConfiguration} from '../api/config.js';
import {membersOf} from '../api/schema.js';
import type {Client} from '../client/client.js';
import {Failure} from '../client/failure.js';
import {unknownContentType} from '../client/media-type.js';
import {localFile} from '../client/multipart.js';
import {withCommas} from '../json/text.js';

/** The timeout for reading limits, in milliseconds. */
export const maxAskingTime = 2000;

const count = z.catch(z.optional(z.int().check(z.nonnegative())), undefined);

/** The part of the configuration that is checked before sending. Any field may be missing or invalid, which is the same. */
const shape = z.object({
  max_characters: count,
  max_media_attachments: count,
  groups_enabled: z.catch(z.optional(z.boolean()), undefined),
  max_participants: count,
  image_size_limit: count,
  video_size_limit: count,
  supported_mime_types: z.catch(z.optional(z.array(z.string())), undefined),
});

/** `limits.direct_messages` and `limits.media` of the configuration. Sizes are bytes, texts are code points. */
export type PublishedLimits = z.infer<typeof shape>;

function limitsIn(configuration: unknown): PublishedLimits {
  const {direct_messages: messages, media} = membersOf(membersOf(configuration)['limits']);
  const groups = membersOf(membersOf(messages)['group_chats']);
  return shape.parse({
    ...membersOf(messages),
    ...membersOf(media),
    groups_enabled: groups['enabled'],
    max_participants: groups['max_participants'],
  });
}

/** The limits of a server; none where they cannot be read, as on servers before 2026. */
export async function fetchLimits(client: Client): Promise<PublishedLimits> {
  try {
    return limitsIn((await client.call(getConfiguration, {})).value);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return {};
  }
}

/** Servers trim a text before they count its code points. */
export function longMessage(message: unknown, {max_characters: most}: PublishedLimits): string | undefined {
  if (typeof message !== 'string' || most === undefined) return undefined;
  const count = [...message.trim()].length;
  return count > most ? `${withCommas(count)} characters; this server allows ${withCommas(most)}` : undefined;
}

export function manyAttachments(count: number, {max_media_attachments: most}: PublishedLimits): string | undefined {
  return most !== undefined && count > most ? `${count} attachments; this server allows ${most}` : undefined;
}

/** @param others participants without the caller, who counts as well */
export function largeGroup(others: number, {groups_enabled: enabled, max_participants: most}: PublishedLimits): string | undefined {
  if (others > 1 && enabled === false) return 'Group chats are off on this server';
  if (most === undefined || others + 1 <= most) return undefined;
  return `${others + 1} participants with you; this server allows ${most}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

/** Servers also publish a common misspelling. */
function typeOf(published: string): string {
  return published === 'image/jpg' ? 'image/jpeg' : published;
}

export async function unfitFile(path: string, limits: PublishedLimits): Promise<string | undefined> {
  const {size, contentType} = await localFile(path);
  const types = limits.supported_mime_types ?? [];
  if (types.length > 0 && !types.some((type) => typeOf(type) === contentType)) {
    const what = contentType === unknownContentType ? 'no image or video of a known type' : contentType;
    return `${path} is ${what}; this server allows ${types.join(', ')}`;
  }
  const most = contentType.startsWith('video/') ? limits.video_size_limit : limits.image_size_limit;
  return most !== undefined && size > most ? `${path} has ${megabytes(size)}; this server allows ${megabytes(most)}` : undefined;
}
