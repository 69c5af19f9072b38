/** Accounts as servers send them. */
import type {Account, AccountCounts, World} from './world.js';

/** `user`, or `user@host` for accounts of other servers. */
export const acctOf = ({username, domain}: Account): string => (domain === null ? username : `${username}@${domain}`);

const urlOf = (world: World, account: Account): string =>
  account.domain === null ? `${world.publicUrl}/${account.username}` : `https://${account.domain}/${account.username}`;

export const avatarOf = (world: World): string => `${world.publicUrl}/storage/avatars/default.jpg`;

/** ISO 8601 with microseconds. */
export const withMicroseconds = (date: Date): string => date.toISOString().replace('Z', '000Z');

/** ISO 8601 in whole seconds, with the offset written out. */
export const withOffset = (date: Date): string => date.toISOString().replace(/\.\d+Z$/, '+00:00');

/** Counts the follows and posts of an account as they are now. */
export function countsOfAccount(world: World, {id}: Account): AccountCounts {
  return {
    followers_count: world.follows.to(id).length,
    following_count: world.follows.of(id).length,
    statuses_count: [...world.posts.values()].filter(({author}) => author.id === id).length,
  };
}

/** An account in Pixelfed's own format. */
export function nativeAccount(world: World, account: Account): Readonly<Record<string, unknown>> {
  return {
    id: account.id,
    username: account.username,
    acct: acctOf(account),
    display_name: account.name,
    discoverable: true,
    locked: account.locked,
    ...countsOfAccount(world, account),
    note: account.note,
    note_text: account.note || null,
    url: urlOf(world, account),
    avatar: avatarOf(world),
    website: null,
    local: account.domain === null,
    is_admin: account.admin,
    created_at: withMicroseconds(account.createdAt),
    header_bg: null,
    last_fetched_at: null,
    pronouns: [],
    location: null,
  };
}

/** An account in the format of Mastodon's API. */
export function compatibleAccount(world: World, account: Account): Readonly<Record<string, unknown>> {
  const {note_text, website, local, is_admin, header_bg, last_fetched_at, pronouns, location, ...common} = nativeAccount(world, account);
  const header = `${world.publicUrl}/storage/headers/missing.png`;
  return {
    ...common,
    avatar_static: common['avatar'],
    bot: false,
    emojis: [],
    fields: [],
    header,
    header_static: header,
    last_status_at: null,
  };
}

/** The viewer's relationship with another account. */
export function relationshipOf(world: World, viewerId: string, id: string): Readonly<Record<string, unknown>> {
  return {
    id,
    following: world.follows.has(viewerId, id),
    followed_by: world.follows.has(id, viewerId),
    blocking: world.blocks.has(viewerId, id),
    muting: world.mutes.has(viewerId, id),
    muting_notifications: false,
    requested: false,
    domain_blocking: false,
    showing_reblogs: false,
    endorsed: false,
  };
}
