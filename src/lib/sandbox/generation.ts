/** The releases that the sandbox can imitate, and what differs between them. */
export type Generation = '0.12.6' | '2026';

const newest = {
  /** The version that the server reports in its own API, and the one in Mastodon's API. */
  version: '0.13.0',
  apiVersion: '3.5.3 (compatible; Pixelfed 0.13.0)',
  is2026: true,
  offers: /^/,
  adminScopes: ['admin:read', 'admin:write'],
  /** Requests of one account in a minute. Where they are not limited, no header speaks of it. */
  requestsPerMinute: 512,
  tokensPerMinute: 10,
  /** How many domains an account can block, unless the admin allows more, and how many accounts it can block and mute. */
  domainLimit: 100,
  blockLimit: 200,
  muteLimit: 500,
  threadMessageLength: 2000,
  push: true,
  oauth: true,
  /** How long a token and an authorization code are valid, in seconds. */
  tokenLifetime: 365 * 24 * 60 * 60,
  codeLifetime: 600,
};

export type ServerFacts = Readonly<typeof newest>;

const older: Partial<ServerFacts> = {
  version: '0.12.6',
  apiVersion: '3.5.3 (compatible; Pixelfed 0.12.6)',
  is2026: false,
  offers: /^(?!\/api\/(?:v1\.1\/direct\/(?:conversations|unread_count)|v2\.1\/))/,
  requestsPerMinute: Infinity,
  tokensPerMinute: 60,
  domainLimit: 50,
  blockLimit: 50,
  muteLimit: 50,
  threadMessageLength: 500,
};

export const generations: Readonly<Record<Generation, ServerFacts>> = {'0.12.6': {...newest, ...older}, 2026: newest};
