/** Accounts, posts, media and what admins see, as servers send them. */
export type Payload = Readonly<Record<string, unknown>>;

export type AccountCounts = Readonly<Record<'followers_count' | 'following_count' | 'statuses_count', number>>;

interface Server {
  readonly publicUrl: string;
  readonly now: Date;
  readonly takeId: (id?: string) => string;
  readonly countsOf: (account: Account) => AccountCounts;
  readonly countNotifications: (post: Post, type: string) => number;
}

/** ISO 8601 with microseconds. */
export const withMicroseconds = (date: Date): string => `${date.toISOString().slice(0, -1)}000Z`;

/** ISO 8601 in whole seconds, with the offset written out. */
export const withOffset = (date: Date | string): string => new Date(date).toISOString().replace(/\.\d+Z$/, '+00:00');

/** Members that are the same in every answer of the sandbox, because it has nothing for them. */
export const fill = (names: string, value: unknown): Payload => Object.fromEntries(names.split(' ').map((name) => [name, value]));

export interface NewAccount {
  /** `user`, or `user@host` for people of other servers. */
  readonly acct: string;
  readonly id?: string;
  readonly name?: string;
  readonly note?: string;
  readonly locked?: boolean;
  readonly admin?: boolean;
  /** What admins see of the person, where it is not the usual. */
  readonly user?: NewUser | undefined;
}

export function accountRow(server: Server, {id, acct, name, note = '', locked = false, admin = false}: NewAccount) {
  const {publicUrl, now} = server;
  const [username = '', host] = acct.split('@');
  return {
    id: server.takeId(id),
    username,
    acct,
    display_name: name ?? username,
    locked,
    note,
    note_text: note || null,
    url: `${host === undefined ? publicUrl : `https://${host}`}/${username}`,
    avatar: `${publicUrl}/storage/avatars/default.jpg`,
    local: host === undefined,
    is_admin: admin,
    created_at: withMicroseconds(now),
    website: null,
    header_bg: null,
    last_fetched_at: null,
    location: null,
    discoverable: true,
    pronouns: [],
  };
}

export type Account = Readonly<ReturnType<typeof accountRow>>;

/** Host of the other server; null for accounts of this one. */
export const hostOf = ({acct}: Account): string | null => acct.split('@')[1] ?? null;

export const nativeAccount = (server: Server, account: Account) => ({...account, ...server.countsOf(account)});

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

export function compatibleAccount(server: Server, account: Account): Payload {
  const header = `${server.publicUrl}/storage/headers/missing.png`;
  const own = {avatar_static: account.avatar, header, header_static: header, bot: false, last_status_at: null};
  return {...withoutPixelfeds(nativeAccount(server, account)), ...own, ...fill('emojis fields', [])};
}

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

export interface NewPost {
  readonly id?: string;
  readonly author: Account;
  readonly text: string;
  readonly parent?: {readonly id: string; readonly account: Account} | null;
}

export function postRow(server: Server, {id: given, author, text, parent = null}: NewPost, medium: Medium) {
  const id = server.takeId(given);
  const url = `${server.publicUrl}/p/${author.username}/${id}`;
  return {
    ...emptyInPosts,
    id,
    shortcode: BigInt(id).toString(36),
    uri: url,
    url,
    in_reply_to_id: parent && parent.id,
    in_reply_to_account_id: parent && parent.account.id,
    content: text,
    content_text: text,
    created_at: server.now.toISOString(),
    sensitive: false,
    visibility: 'public',
    local: author.local,
    media_attachments: [medium.data],
    account: author,
  };
}

export type Post = ReturnType<typeof postRow>;

export const nativePost = (server: Server, post: Post): Payload => ({...post, account: nativeAccount(server, post.account)});

export function compatiblePost(server: Server, post: Post): Payload {
  return {
    ...withoutPixelfeds(post),
    ...fill('in_reply_to_id in_reply_to_account_id', null),
    ...fill('reblogged favourited muted bookmarked', false),
    reblogs_count: server.countNotifications(post, 'reblog'),
    favourites_count: server.countNotifications(post, 'favourite'),
    account: compatibleAccount(server, post.account),
    replies_count: 0,
    media_attachments: post.media_attachments.map(withoutPixelfeds),
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
export async function readFile(file: unknown): Promise<Pick<NewMedium, 'bytes' | 'mime'> | null> {
  if (!(file instanceof File)) return null;
  const bytes = await file.bytes();
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  const [mime] = signatures.find(([, signature]) => signature.test(start)) ?? [];
  return mime === undefined ? null : {mime, bytes};
}

const blurhash = 'U4Rfzst8?bt7ogayj[j[~pfQ9Goe%Mj[WBay';

export interface NewMedium {
  readonly owner: string;
  readonly mime: string;
  /** The file as it was uploaded; undefined for media of the demo. */
  readonly bytes?: Uint8Array | undefined;
  /** Whether a post or a message has it already; true unless given. */
  readonly attached?: boolean;
}

const emptyInMedia = fill('remote_url optimized_url text_url description license filter_name filter_class', null);

/** A photo or video. Its `data` is what posts in Pixelfed's own format and messages have of it. */
export function mediumRow({publicUrl, now}: Server, row: number, {owner, mime, bytes, attached = true}: NewMedium) {
  const url = `${publicUrl}/storage/m/_v2/${owner}/${String(row).padStart(6, '0')}.${mime.split('/')[1] ?? 'jpeg'}`;
  const data = {
    id: String(row),
    type: mime.startsWith('video/') ? 'video' : 'image',
    url,
    preview_url: url,
    mime,
    meta: {focus: {x: 0, y: 0}, original: {width: 320, height: 240, size: '320x240', aspect: 4 / 3}},
    is_nsfw: 0,
    orientation: 'landscape',
    blurhash,
    ...emptyInMedia,
  };
  return {data, owner, createdAt: now, bytes, attached};
}

export type Medium = ReturnType<typeof mediumRow>;

/** A medium that was just uploaded. The server has not processed it yet, so that it has no type and no address. */
export function uploadedMedium({data: {id, url}, createdAt}: Medium): Payload {
  const preview_url = `${url}?v=${Math.floor(createdAt.getTime() / 1000)}`;
  return {id, type: 'document', preview_url, text_url: url, ...fill('url remote_url description', null), blurhash};
}

export interface NewUser {
  readonly id?: number;
  readonly email?: string;
  readonly isVerified?: boolean;
  /** The address from which the person registered with the app; null: on the web. */
  readonly ip?: string | null;
  /** The counts when the server last made them, which may be long ago; null: the server does not send them; undefined: those of now. */
  readonly counted?: AccountCounts | null;
  /** Lists show active users only. A deleted user is `gone`. */
  readonly state?: 'active' | 'disabled' | 'gone';
}

/** A registered person, as admins see and moderate them; `data` is what servers send, apart from the counts. */
export function userRow(id: number, account: Account, {email, isVerified = true, ip = null, counted, state = 'active'}: NewUser) {
  const {id: profile_id, display_name: name, username, is_admin, created_at} = account;
  const data = {
    id: String(id),
    profile_id,
    name,
    username,
    is_admin,
    email: email ?? `${username}@example.com`,
    email_verified_at: isVerified ? created_at : null,
    register_source: ip === null ? 'web' : 'app',
    app_register_ip: ip,
    last_active_at: null,
    created_at,
    two_factor_enabled: false,
    has_interstitial: false,
  };
  return {data, account, moderation: {unlisted: false, cw: false, no_autolink: false}, counted, state};
}

export type User = ReturnType<typeof userRow>;

export interface NewReport {
  readonly by: Account;
  readonly reason: string;
  readonly message: string | null;
  /** What it is about: a `post`, a `user`, a `story` or a `direct_message`. */
  readonly type: string;
  readonly id: string;
}

export function reportRow(now: Date, row: number, {by, reason, message, type, id}: NewReport) {
  const object_type = type === 'user' ? String.raw`App\Profile` : String.raw`App\Status`;
  const data = {id: row, type: reason, message, object_id: BigInt(id), object_type, created_at: withMicroseconds(now)};
  return {data, by, type, id, handled: false};
}

export type Report = ReturnType<typeof reportRow>;

/** An entry for a post that the spam filter held back, until an admin handles it. The post may be gone. */
export function heldBackRow(row: number, {id: postId, account: author, created_at, sensitive: wasSensitive}: Post) {
  const item_type = String.raw`App\Status`;
  const at = created_at.replace('Z', '000Z');
  return {data: {id: row, type: 'post.autospam', item_id: BigInt(postId), item_type, created_at: at}, postId, author, wasSensitive};
}

export type HeldBack = ReturnType<typeof heldBackRow>;
