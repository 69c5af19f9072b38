/** How servers behave, and how releases differ. */
/** The releases that the sandbox can imitate. */
export type Generation = '0.12.6' | '2026';

/** How a server behaves where servers differ. */
export interface ServerFacts {
  /** The version that the server reports of itself, and in the API that others have, too. */
  readonly version: string;
  readonly apiVersion: string;
  /** Whether it has a path at all. */
  readonly offers: (path: string) => boolean;
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
  /** There is a gateway for push notifications. */
  readonly push: boolean;
  /** Programs can be registered and get tokens. */
  readonly oauth: boolean;
  /** Seconds that a token, and an authorization code, is valid. */
  readonly tokenLifetime: number;
  readonly codeLifetime: number;
}

const of2025: ServerFacts = {
  version: '0.12.6',
  apiVersion: '3.5.3 (compatible; Pixelfed 0.12.6)',
  offers: () => true,
  conversations: false,
  ownStatuses: false,
  webPages: true,
  scopesOnDirect: false,
  adminScopes: ['admin:read', 'admin:write'],
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
  push: true,
  oauth: true,
  tokenLifetime: 365 * 24 * 60 * 60,
  codeLifetime: 600,
};

const of2026: ServerFacts = {
  ...of2025,
  version: '0.13.0',
  apiVersion: '3.5.3 (compatible; Pixelfed 0.13.0)',
  conversations: true,
  ownStatuses: true,
  webPages: false,
  scopesOnDirect: true,
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

export const generations: Readonly<Record<Generation, ServerFacts>> = {'0.12.6': of2025, 2026: of2026};
