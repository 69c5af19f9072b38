/** The generations of servers that the sandbox can imitate, and how they differ. */
export type Generation = '0.12.6' | '2026' | 'mastodon';

export interface GenerationFacts {
  readonly software: 'mastodon' | 'pixelfed';
  /** The version that the server reports. */
  readonly version: string;
  /** There are conversations, an unread count and `/api/v2.1/config`. */
  readonly conversations: boolean;
  /** Failures of sign-in, validation, look-up and policy have their own status; else all of them are 500. */
  readonly ownStatuses: boolean;
  /** Requests that do not ask for JSON get web pages and redirects. */
  readonly webPages: boolean;
  /** Scopes are checked below `/api/v1.1/direct/`. */
  readonly scopesOnDirect: boolean;
  readonly adminScopes: readonly string[];
  /** At sign-in the scopes of admins are dropped for everybody else, without a word; else they are given, and of no use. */
  readonly dropsAdminScopes: boolean;
  /** Clients can ask for the scopes alone that they named when they registered. */
  readonly scopesAreRegistered: boolean;
  /** A token is a JWT that ends, and can be refreshed; else a word without end, whose scopes are in the answer. */
  readonly tokensAreJwts: boolean;
  /** Requests of one account in a minute; null: not limited, and no header speaks of it. */
  readonly requestsPerMinute: number | null;
  /** A new filter's keyword may come without `whole_word`. */
  readonly wholeWordOptional: boolean;
  /** Domains that an account can block, unless the admin allows more. */
  readonly domainLimit: number;
  /** Accounts that an account can block. */
  readonly blockLimit: number;
  /** Accounts that an account can mute. */
  readonly muteLimit: number;
  /** `types` of notifications may be a string; else it must be a list. */
  readonly typesAsString: boolean;
  /** Notifications looked through for one page when types are asked for; null: as many as the page holds. */
  readonly notificationsScanned: number | null;
  /** Characters in a message of a legacy thread. */
  readonly threadMessageLength: number;
  /** Legacy threads are conversations; else messages have small row numbers beside their long ids. */
  readonly threadsAreConversations: boolean;
  /** What can be reported. */
  readonly reportable: readonly string[];
  /** Reports name the bad parameter in `error_code`. */
  readonly reportErrorsInDetail: boolean;
  /** Approval pages in a minute; null: not limited. */
  readonly authorizationsPerMinute: number | null;
  /** Requests for a token in a minute. */
  readonly tokensPerMinute: number;
  /** A new token says when it was made as a time in ISO 8601; else in seconds since 1970. */
  readonly tokenTimesAsText: boolean;
  /** Who asked for a scope that does not exist gets `state` back. */
  readonly stateOfScopeErrors: boolean;
  /** What a token needs to ask which client it was given to. */
  readonly scopeOfClient: 'read' | null;
}

const adminScopes = ['admin:read', 'admin:write'];

const of2025: GenerationFacts = {
  software: 'pixelfed',
  version: '0.12.6',
  conversations: false,
  ownStatuses: false,
  webPages: true,
  scopesOnDirect: false,
  adminScopes,
  dropsAdminScopes: true,
  scopesAreRegistered: false,
  tokensAreJwts: true,
  requestsPerMinute: null,
  wholeWordOptional: false,
  domainLimit: 50,
  blockLimit: 50,
  muteLimit: 50,
  typesAsString: false,
  notificationsScanned: 150,
  threadMessageLength: 500,
  threadsAreConversations: false,
  reportable: ['post', 'user', 'story'],
  reportErrorsInDetail: true,
  authorizationsPerMinute: null,
  tokensPerMinute: 60,
  tokenTimesAsText: false,
  stateOfScopeErrors: false,
  scopeOfClient: 'read',
};

const of2026: GenerationFacts = {
  software: 'pixelfed',
  version: '0.13.0',
  conversations: true,
  ownStatuses: true,
  webPages: false,
  scopesOnDirect: true,
  adminScopes,
  dropsAdminScopes: true,
  scopesAreRegistered: false,
  tokensAreJwts: true,
  requestsPerMinute: 512,
  wholeWordOptional: true,
  domainLimit: 100,
  blockLimit: 200,
  muteLimit: 500,
  typesAsString: true,
  notificationsScanned: null,
  threadMessageLength: 2000,
  threadsAreConversations: true,
  reportable: ['post', 'user', 'story', 'direct_message'],
  reportErrorsInDetail: false,
  authorizationsPerMinute: 10,
  tokensPerMinute: 10,
  tokenTimesAsText: true,
  stateOfScopeErrors: true,
  scopeOfClient: null,
};

/** As far as block lists of a whole server need it; all else is as in 2026, where Mastodon has it at all. */
const ofMastodon: GenerationFacts = {
  ...of2026,
  software: 'mastodon',
  version: '4.5.0',
  conversations: false,
  requestsPerMinute: null,
  adminScopes: [...adminScopes, ...adminScopes.map((scope) => `${scope}:domain_blocks`)],
  dropsAdminScopes: false,
  scopesAreRegistered: true,
  tokensAreJwts: false,
  tokenTimesAsText: false,
};

export const generations: Readonly<Record<Generation, GenerationFacts>> = {'0.12.6': of2025, 2026: of2026, mastodon: ofMastodon};
