/** The releases that the sandbox can imitate, and what differs between them. */
export type Generation = '0.12.6' | '2026';

export interface ServerFacts {
  /** The version that the server reports in its own API, and the one in Mastodon's API. */
  readonly version: string;
  readonly apiVersion: string;
  /** Whether the server behaves like those since 2026. */
  readonly is2026: boolean;
  readonly offers: (path: string) => boolean;
  readonly adminScopes: readonly string[];
  /** Requests of one account in a minute; null: not limited, and no header speaks of it. */
  readonly requestsPerMinute: number | null;
  /** Approval pages, and requests for a token, in a minute; null: not limited. */
  readonly authorizationsPerMinute: number | null;
  readonly tokensPerMinute: number;
  /** How many domains an account can block, unless the admin allows more, and how many accounts it can block and mute. */
  readonly domainLimit: number;
  readonly blockLimit: number;
  readonly muteLimit: number;
  readonly threadMessageLength: number;
  readonly push: boolean;
  readonly oauth: boolean;
  /** How long a token and an authorization code are valid, in seconds. */
  readonly tokenLifetime: number;
  readonly codeLifetime: number;
}

const newest: ServerFacts = {
  version: '0.13.0',
  apiVersion: '3.5.3 (compatible; Pixelfed 0.13.0)',
  is2026: true,
  offers: () => true,
  adminScopes: ['admin:read', 'admin:write'],
  requestsPerMinute: 512,
  authorizationsPerMinute: 10,
  tokensPerMinute: 10,
  domainLimit: 100,
  blockLimit: 200,
  muteLimit: 500,
  threadMessageLength: 2000,
  push: true,
  oauth: true,
  tokenLifetime: 365 * 24 * 60 * 60,
  codeLifetime: 600,
};

const older: Partial<ServerFacts> = {
  version: '0.12.6',
  apiVersion: '3.5.3 (compatible; Pixelfed 0.12.6)',
  is2026: false,
  offers: (path) => !/^\/api\/(?:v1\.1\/direct\/(?:conversations|unread_count)|v2\.1\/)/.test(path),
  requestsPerMinute: null,
  authorizationsPerMinute: null,
  tokensPerMinute: 60,
  domainLimit: 50,
  blockLimit: 50,
  muteLimit: 50,
  threadMessageLength: 500,
};

export const generations: Readonly<Record<Generation, ServerFacts>> = {'0.12.6': {...newest, ...older}, 2026: newest};
