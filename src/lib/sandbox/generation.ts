/** How servers behave, and how releases differ. */
/** The releases that the sandbox can imitate. */
export type Generation = '0.12.6' | '2026';

/** How a server behaves where servers differ. */
export interface ServerFacts {
  /** The version that the server reports of itself, and in the API that others have, too. */
  readonly version: string;
  readonly apiVersion: string;
  /** Whether it is as servers are since 2026, where these differ from older ones by more than a number. */
  readonly is2026: boolean;
  /** Whether it has a path at all. */
  readonly offers: (path: string) => boolean;
  readonly adminScopes: readonly string[];
  /** Requests of one account in a minute; null: not limited, and no header speaks of it. */
  readonly requestsPerMinute: number | null;
  /** Approval pages, and requests for a token, in a minute; null: not limited. */
  readonly authorizationsPerMinute: number | null;
  readonly tokensPerMinute: number;
  /** Domains that an account can block, unless the admin allows more; accounts that it can block; and mute. */
  readonly domainLimit: number;
  readonly blockLimit: number;
  readonly muteLimit: number;
  /** Characters in a message of a legacy thread. */
  readonly threadMessageLength: number;
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
  is2026: false,
  offers: (path) => !/^\/api\/(?:v1\.1\/direct\/(?:conversations|unread_count)|v2\.1\/)/.test(path),
  adminScopes: ['admin:read', 'admin:write'],
  requestsPerMinute: null,
  authorizationsPerMinute: null,
  tokensPerMinute: 60,
  domainLimit: 50,
  blockLimit: 50,
  muteLimit: 50,
  threadMessageLength: 500,
  push: true,
  oauth: true,
  tokenLifetime: 365 * 24 * 60 * 60,
  codeLifetime: 600,
};

const of2026: ServerFacts = {
  ...of2025,
  version: '0.13.0',
  apiVersion: '3.5.3 (compatible; Pixelfed 0.13.0)',
  is2026: true,
  offers: () => true,
  requestsPerMinute: 512,
  authorizationsPerMinute: 10,
  tokensPerMinute: 10,
  domainLimit: 100,
  blockLimit: 200,
  muteLimit: 500,
  threadMessageLength: 2000,
};

export const generations: Readonly<Record<Generation, ServerFacts>> = {'0.12.6': of2025, 2026: of2026};
