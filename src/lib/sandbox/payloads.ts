/** Accounts, posts and media as servers send them. */
import type {Account, Post, StoredMedium, World} from './world.js';

export type Payload = Readonly<Record<string, unknown>>;

/** `user`, or `user@host` for accounts of other servers. */
export const acctOf = ({username, domain}: Account): string => (domain === null ? username : `${username}@${domain}`);

export const avatarOf = (world: World): string => `${world.publicUrl}/storage/avatars/default.jpg`;

/** ISO 8601 with microseconds. */
export const withMicroseconds = (date: Date): string => date.toISOString().replace('Z', '000Z');

/** ISO 8601 in whole seconds, with the offset written out. */
export const withOffset = (date: Date): string => date.toISOString().replace(/\.\d+Z$/, '+00:00');

/** Members that are the same in every answer of the sandbox, because it has nothing for them. */
const fill = (names: string, value: unknown): Payload => Object.fromEntries(names.split(' ').map((name) => [name, value]));

const emptyInAccounts = {...fill('website header_bg last_fetched_at location', null), discoverable: true, pronouns: []};

/** An account in Pixelfed's own format. */
export function nativeAccount(world: World, account: Account): Payload {
  const {id, username, domain, name, locked, note, admin, createdAt} = account;
  return {
    id,
    username,
    acct: acctOf(account),
    display_name: name,
    locked,
    ...world.countsOf(account),
    note,
    note_text: note || null,
    url: domain === null ? `${world.publicUrl}/${username}` : `https://${domain}/${username}`,
    avatar: avatarOf(world),
    local: domain === null,
    is_admin: admin,
    created_at: withMicroseconds(createdAt),
    ...emptyInAccounts,
  };
}

/** The members that only Pixelfed's own format has, of accounts, posts and media. */
const ofPixelfed = new Set(
  (
    'note_text website is_admin header_bg last_fetched_at pronouns location _v shortcode content_text pf_type reply_count ' +
    'comments_disabled thread replies parent place local taggedPeople label liked_by optimized_url license is_nsfw orientation ' +
    'filter_name filter_class mime'
  ).split(' '),
);

const withoutPixelfeds = (payload: Payload): Payload =>
  Object.fromEntries(Object.entries(payload).filter(([name]) => !ofPixelfed.has(name)));

/** An account in the format of Mastodon's API. */
export function compatibleAccount(world: World, account: Account): Payload {
  const header = `${world.publicUrl}/storage/headers/missing.png`;
  const own = {avatar_static: avatarOf(world), header, header_static: header, bot: false, last_status_at: null};
  return {...withoutPixelfeds(nativeAccount(world, account)), ...own, ...fill('emojis fields', [])};
}

/** The viewer's relationship with another account. */
export const relationshipOf = (world: World, viewerId: string, id: string): Payload => ({
  id,
  following: world.follows.has(viewerId, id),
  followed_by: world.follows.has(id, viewerId),
  blocking: world.blocks.has(viewerId, id),
  muting: world.mutes.has(viewerId, id),
  ...fill('muting_notifications requested domain_blocking showing_reblogs endorsed', false),
});

const emptyInPosts = {
  ...fill('reblog reblogged favourited muted language place poll edited_at', null),
  ...fill('reblogs_count favourites_count reply_count', 0),
  ...fill('comments_disabled thread pinned', false),
  ...fill('emojis mentions replies parent taggedPeople tags', []),
  _v: 1,
  spoiler_text: '',
  application: {name: 'web', website: null},
  pf_type: 'photo',
  label: {covid: false},
  liked_by: {username: null, others: false},
};

/** A post in Pixelfed's own format. */
export function nativePost(world: World, post: Post): Payload {
  const {id, author, parent, text, createdAt, sensitive, visibility} = post;
  const url = `${world.publicUrl}/p/${author.username}/${id}`;
  return {
    ...emptyInPosts,
    id,
    shortcode: BigInt(id).toString(36),
    uri: url,
    url,
    in_reply_to_id: parent?.id ?? null,
    in_reply_to_account_id: parent?.author.id ?? null,
    content: text,
    content_text: text,
    created_at: createdAt.toISOString(),
    sensitive,
    visibility,
    local: author.domain === null,
    media_attachments: [messageMedium(world, post.media)],
    account: nativeAccount(world, author),
  };
}

/** A post in the format of Mastodon's API. */
export function compatiblePost(world: World, post: Post): Payload {
  const countNotifications = (type: string): number =>
    world.notifications.list().filter((notification) => notification.post === post && notification.type === type).length;
  return {
    ...withoutPixelfeds(nativePost(world, post)),
    ...fill('in_reply_to_id in_reply_to_account_id', null),
    ...fill('reblogged favourited muted bookmarked', false),
    reblogs_count: countNotifications('reblog'),
    favourites_count: countNotifications('favourite'),
    account: compatibleAccount(world, post.author),
    replies_count: 0,
    media_attachments: [withoutPixelfeds(messageMedium(world, post.media))],
  };
}

/** The types that may be uploaded, as the configuration of servers names them. */
export const supportedMimeTypes: readonly string[] = ['image/jpeg', 'image/jpg', 'image/png', 'image/gif', 'image/webp', 'video/mp4'];

/** The largest size of one photo or video, in kilobytes. */
export const fileKilobytes = 15_000;

const signatures: readonly (readonly [string, RegExp])[] = [
  ['image/jpeg', /^\u00ff\u00d8\u00ff/],
  ['image/png', /^\u0089PNG/],
  ['image/gif', /^GIF8/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
  ['video/mp4', /^[^]{4}ftyp/],
];

/** An uploaded file, whose type is known by its first bytes; null where there is none, or its type is not supported. */
export async function readFile(file: unknown): Promise<(Pick<StoredMedium, 'mime'> & {readonly bytes: Uint8Array}) | null> {
  if (!(file instanceof File)) return null;
  const bytes = await file.bytes();
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  const [mime] = signatures.find(([, signature]) => signature.test(start)) ?? [];
  return mime === undefined ? null : {mime, bytes};
}

export function mediumUrl(world: World, {row, owner, mime}: StoredMedium): string {
  return `${world.publicUrl}/storage/m/_v2/${owner}/${String(row).padStart(6, '0')}.${mime.split('/')[1] ?? 'jpeg'}`;
}

const blurhash = 'U4Rfzst8?bt7ogayj[j[~pfQ9Goe%Mj[WBay';

/** A medium of a message, or of a post in Pixelfed's own format. */
export function messageMedium(world: World, medium: StoredMedium): Payload {
  const url = mediumUrl(world, medium);
  return {
    id: String(medium.row),
    type: medium.mime.startsWith('video/') ? 'video' : 'image',
    url,
    preview_url: url,
    mime: medium.mime,
    meta: {focus: {x: 0, y: 0}, original: {width: 320, height: 240, size: '320x240', aspect: 4 / 3}},
    ...fill('remote_url optimized_url text_url description license filter_name filter_class', null),
    is_nsfw: 0,
    orientation: 'landscape',
    blurhash,
  };
}

/** A medium that was just uploaded. The server has not processed it yet, so that it has no type and no address. */
export function uploadedMedium(world: World, medium: StoredMedium): Payload {
  const url = mediumUrl(world, medium);
  const preview_url = `${url}?v=${Math.floor(medium.createdAt.getTime() / 1000)}`;
  return {id: String(medium.row), type: 'document', preview_url, text_url: url, ...fill('url remote_url description', null), blurhash};
}
