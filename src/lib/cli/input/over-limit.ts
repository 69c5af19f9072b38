/** Why a server would refuse something, by the limits that it publishes (section 8). All answers are whole sentences' halves. */
import type {Limits} from '../../client/limits.js';
import {localFile, unknownContentType} from '../../client/multipart.js';

const numbers = new Intl.NumberFormat('en');

/** Servers trim a text before they count its code points. */
export function longMessage(message: unknown, {max_characters: most}: Limits): string | undefined {
  if (typeof message !== 'string' || most === undefined) return undefined;
  const count = [...message.trim()].length;
  return count > most ? `${numbers.format(count)} characters; this server takes ${numbers.format(most)}` : undefined;
}

export function manyAttachments(count: number, {max_media_attachments: most}: Limits): string | undefined {
  return most !== undefined && count > most ? `${count} attachments; this server takes ${most}` : undefined;
}

/** @param others everybody but the caller, who counts as well */
export function largeGroup(others: number, {groups_enabled: enabled, max_participants: most}: Limits): string | undefined {
  if (others > 1 && enabled === false) return 'Group chats are off on this server';
  if (most === undefined || others + 1 <= most) return undefined;
  return `${others + 1} participants with you; this server takes ${most}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

export async function unfitFile(path: string, limits: Limits): Promise<string | undefined> {
  const {size, contentType} = await localFile(path);
  const types = limits.supported_mime_types;
  const isKnown = contentType !== unknownContentType;
  if (isKnown && types !== undefined && types.length > 0 && !types.includes(contentType)) {
    return `${path} is ${contentType}; this server takes ${types.join(', ')}`;
  }
  const most = contentType.startsWith('video/') ? limits.video_size_limit : limits.image_size_limit;
  return most !== undefined && size > most ? `${path} has ${megabytes(size)}; this server takes ${megabytes(most)}` : undefined;
}
