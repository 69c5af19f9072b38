/** What the server remembers. Ids are 19 digits; rows are the small numbers of a database. */

export interface Account {
  readonly id: string;
  readonly username: string;
  /** Host of the other server; null for accounts of this one. */
  readonly domain: string | null;
  readonly name: string;
  readonly note: string;
  readonly locked: boolean;
  readonly admin: boolean;
  readonly createdAt: Date;
}

/** A published photo. */
export interface Post {
  readonly id: string;
  readonly author: Account;
  readonly text: string;
  readonly createdAt: Date;
  readonly media: Medium;
}

export interface Medium {
  readonly row: number;
  readonly owner: string;
  readonly mime: string;
  readonly createdAt: Date;
  /** Already part of a post or message. */
  attached: boolean;
}

export interface Message {
  readonly id: string;
  readonly row: number;
  readonly conversationId: string;
  readonly senderId: string;
  readonly type: string;
  readonly text: string | null;
  readonly media: readonly Medium[];
  readonly meta: {readonly domain: string; readonly local: boolean} | null;
  readonly sensitive: boolean;
  readonly inReplyTo: string | null;
  readonly createdAt: Date;
}

export interface Membership {
  readonly accountId: string;
  state: 'active' | 'left' | 'request';
  muted: boolean;
  hidden: boolean;
  lastRead: string | null;
}

export interface Conversation {
  readonly id: string;
  readonly row: number;
  readonly type: 'dm' | 'group';
  /** Everybody who ever was in it: the set makes the conversation. */
  readonly members: readonly Membership[];
  /** Oldest first. */
  messages: readonly Message[];
  readonly createdAt: Date;
  /** Null until the first message. */
  lastActivity: Date | null;
}

export interface Keyword {
  readonly row: number;
  keyword: string;
  wholeWord: boolean;
}

export interface Filter {
  readonly row: number;
  readonly ownerId: string;
  title: string;
  context: readonly string[];
  action: string;
  expiresAt: Date | null;
  keywords: readonly Keyword[];
  updatedAt: Date;
}

export interface DomainBlock {
  readonly row: number;
  readonly ownerId: string;
  readonly domain: string;
}

export interface Notification {
  readonly row: number;
  readonly ownerId: string;
  /** `direct` is kept too, but never shown. */
  readonly type: string;
  readonly actor: Account;
  readonly post: Post | null;
  readonly createdAt: Date;
}

export interface PushSettings {
  token: string | null;
  enabled: boolean;
  like: boolean;
  follow: boolean;
  mention: boolean;
  comment: boolean;
}
