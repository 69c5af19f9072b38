/** Decides by their content which photos and videos may be uploaded, and writes them as servers do. */
import type {StoredMedium, World} from './world.js';

/** The types as the configuration of servers names them. */
export const supportedMimeTypes: readonly string[] = ['image/jpeg', 'image/jpg', 'image/png', 'image/gif', 'image/webp', 'video/mp4'];

/** The largest size of one photo or video, in kilobytes. */
export const fileKilobytes = 15_000;

/** The largest size of a request, in bytes; larger ones are answered with 413. */
export const requestBytes = 16 * 1024 * 1024;

const signatures: readonly (readonly [string, RegExp])[] = [
  ['image/jpeg', /^\u00ff\u00d8\u00ff/],
  ['image/png', /^\u0089PNG/],
  ['image/gif', /^GIF8/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
  ['video/mp4', /^[^]{4}ftyp/],
];

/** The type of a file by its first bytes; null when it is not supported. */
export async function mimeOf(file: File): Promise<string | null> {
  const start = Buffer.from(await file.slice(0, 12).arrayBuffer()).toString('latin1');
  return signatures.find(([, signature]) => signature.test(start))?.[0] ?? null;
}

const blurhash = 'U4Rfzst8?bt7ogayj[j[~pfQ9Goe%Mj[WBay';
const meta = {focus: {x: 0, y: 0}, original: {width: 320, height: 240, size: '320x240', aspect: 4 / 3}};

const kindOf = ({mime}: StoredMedium): string => (mime.startsWith('video/') ? 'video' : 'image');

export function mediumUrl(world: World, {row, owner, mime}: StoredMedium): string {
  return `${world.publicUrl}/storage/m/_v2/${owner}/${String(row).padStart(6, '0')}.${mime.split('/')[1] ?? 'jpeg'}`;
}

/** The bytes of an upload. A file of the demo has only the first bytes of a photo, by which its type is recognized. */
export const bytesOf = ({bytes, row}: StoredMedium): Uint8Array =>
  bytes ??
  Buffer.from(`ffd8ffe000104a46494600010100000100010000fffe000a${Buffer.from(String(row).padStart(8, '0')).toString('hex')}ffd9`, 'hex');

/** A medium of a message, or of a post as moderators see it. */
export function messageMedium(world: World, medium: StoredMedium): Readonly<Record<string, unknown>> {
  const url = mediumUrl(world, medium);
  return {
    id: String(medium.row),
    type: kindOf(medium),
    url,
    remote_url: null,
    preview_url: url,
    optimized_url: null,
    text_url: null,
    meta,
    description: null,
    license: null,
    is_nsfw: 0,
    orientation: 'landscape',
    filter_name: null,
    filter_class: null,
    mime: medium.mime,
    blurhash,
  };
}

export function postMedium(world: World, medium: StoredMedium): Readonly<Record<string, unknown>> {
  const {optimized_url, license, is_nsfw, orientation, filter_name, filter_class, mime, ...common} = messageMedium(world, medium);
  return common;
}

/** A medium that was just uploaded. The server has not processed it yet, so that it has no type and no address. */
export function uploadedMedium(world: World, medium: StoredMedium): Readonly<Record<string, unknown>> {
  const url = mediumUrl(world, medium);
  return {
    id: String(medium.row),
    type: 'document',
    url: null,
    preview_url: `${url}?v=${Math.floor(medium.createdAt.getTime() / 1000)}`,
    remote_url: null,
    text_url: url,
    description: null,
    blurhash,
  };
}
