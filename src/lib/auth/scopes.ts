/** Scopes of tokens: which ones a sign-in asks for, and what they allow. */
import type {Software} from '../operations/server-release.js';

export const defaultScopes: readonly string[] = ['read', 'write', 'push'];

/** The scopes that the sign-in of an admin asks for as well, to moderate the server. */
export const adminScopes: Readonly<Record<Software, readonly string[]>> = {
  pixelfed: ['admin:read', 'admin:write'],
  mastodon: ['admin:read:domain_blocks', 'admin:write:domain_blocks'],
};

/** The needed scopes that were not given. On Mastodon, a scope includes every longer one that begins with it, as `admin:read` does. */
export function missingScopes(needed: readonly string[], given: readonly string[]): string[] {
  return needed.filter((scope) => !given.some((one) => one === scope || scope.startsWith(`${one}:`)));
}
