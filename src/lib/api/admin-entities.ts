/** The resources that only admins see. Servers have them, the documentation does not. */
import * as z from 'zod/mini';
import {account, identifier, integer, timestamp} from './entities.js';
import {idText, isNull, type Members, membersOf, once, allowKnownMismatch} from './schema.js';

const maybe = z.optional;
const nullable = z.nullable;

/** The block of a domain for a whole server. On Pixelfed its id is a number, and a comment is null when there is none. */
export const serverBlock = once(() =>
  z.looseObject({
    id: z.union([identifier, integer]),
    domain: z.string(),
    digest: maybe(z.string()),
    severity: z.string(),
    created_at: z.string(),
    reject_media: z.boolean(),
    reject_reports: z.boolean(),
    private_comment: nullable(z.string()),
    public_comment: nullable(z.string()),
    obfuscate: z.boolean(),
  }),
);

/** An open report, as moderators see it. What was reported may be gone. */
export const moderationReport = once(() =>
  z.looseObject({
    id: integer,
    type: z.string(),
    message: nullable(z.string()),
    object_id: integer,
    object_type: z.string(),
    created_at: timestamp,
    reported_by_account: account(),
    status: maybe(moderatedPost()),
    parent: maybe(moderatedPost()),
    account: maybe(account()),
  }),
);

const acctOf = (account: unknown): string => `@${idText(membersOf(account)['acct'])}`;

/** The reported post or account in words. Servers leave out one that is gone. */
export function reportedIn(report: unknown): string {
  const {status, account, object_type: type} = membersOf(report);
  if (status !== undefined) return `post of ${acctOf(membersOf(status)['account'])}`;
  if (account !== undefined) return `account ${acctOf(account)}`;
  return `${idText(type).split('\\').at(-1)?.toLowerCase() || 'post'} that is gone`;
}

export function reasonOf(report: unknown): string {
  const {type, message} = membersOf(report);
  return [idText(type), idText(message)].filter((text) => text !== '').join(': ');
}

/** A post that the spam filter held back, until an admin has looked at it. */
export const autospamEntry = once(() =>
  z.looseObject({
    id: integer,
    type: z.string(),
    item_id: integer,
    item_type: z.string(),
    created_at: timestamp,
    status: maybe(nullable(moderatedPost())),
    parent: maybe(nullable(moderatedPost())),
  }),
);

export const visibilities = ['public', 'unlisted', 'private'] as const;

export const moderatedPost = once(() =>
  z.looseObject({
    id: identifier,
    created_at: timestamp,
    url: z.string(),
    content: z.string(allowKnownMismatch(isNull)),
    content_text: z.string(allowKnownMismatch(isNull)),
    visibility: z.string(),
    sensitive: z.boolean(),
    account: account(),
  }),
);

/** The flags that admins can set on a server, in the order in which pixelctl sets them. */
export const instanceFlags = ['banned', 'unlisted', 'auto_cw'] as const;

/** The notes of admins about a server, as one text. Pixelfed may have a list of them. */
export function notesOf(instance: unknown): string {
  return [membersOf(instance)['notes']]
    .flat()
    .filter((note) => typeof note === 'string' && note.trim() !== '')
    .join('; ');
}

/** A note on a server that an admin typed on a page of Pixelfed. It is a text instead of a list, and the list of blocks fails because of it. */
export function typedNoteOf(instance: unknown): string | undefined {
  const {notes} = membersOf(instance);
  return typeof notes === 'string' ? notes : undefined;
}

export const instance = once(() =>
  z.looseObject({
    id: integer,
    domain: z.string(),
    software: nullable(z.string()),
    unlisted: z.boolean(),
    auto_cw: z.boolean(),
    banned: z.boolean(),
    user_count: nullable(integer),
    status_count: nullable(integer),
    last_crawled_at: nullable(timestamp),
    notes: nullable(z.union([z.string(), z.array(nullable(z.string()))])),
    created_at: timestamp,
  }),
);

/** The setting with a key; undefined where the answer has none. */
export function settingIn(answer: unknown, key: unknown): Members | undefined {
  const settings: unknown = Array.isArray(answer) ? answer : membersOf(answer)['data'];
  return (Array.isArray(settings) ? settings : []).map(membersOf).find((setting) => setting['key'] === key);
}

/** Somebody who is registered at the server. The id is not that of the account, which is `profile_id`. */
export const user = once(() =>
  z.looseObject({
    id: identifier,
    profile_id: identifier,
    name: z.string(allowKnownMismatch(isNull)),
    username: z.string(),
    is_admin: z.boolean(),
    email: z.string(),
    email_verified_at: nullable(timestamp),
    two_factor_enabled: z.boolean(),
    register_source: nullable(z.string()),
    app_register_ip: nullable(z.string()),
    has_interstitial: z.boolean(),
    last_active_at: nullable(timestamp),
    created_at: timestamp,
    // Servers send these only if they can read the account.
    avatar: maybe(z.string()),
    bio: maybe(nullable(z.string())),
    statuses_count: maybe(integer),
    following_count: maybe(integer),
    followers_count: maybe(integer),
    is_private: maybe(z.boolean()),
  }),
);

export const userFlags = ['unlisted', 'cw', 'no_autolink'] as const;

export type UserFlag = (typeof userFlags)[number];

export const userActions = [...userFlags, 'verify_email', 'refresh_stats'] as const;

/** What servers tell admins of a person besides the `user`. */
export const userMeta = once(() =>
  z.looseObject({
    account: account(),
    moderation: z.looseObject({unlisted: z.boolean(), cw: z.boolean(), no_autolink: z.boolean()}),
  }),
);

/** Mastodon's name for the number of follows from its own accounts to the accounts of a domain. */
export const followsOfDomain = 'instance_follows';
