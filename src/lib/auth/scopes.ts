/** Scopes of tokens: which ones a sign-in asks for, and what they allow. */
import type {Software} from '../operations/server-release.js';

/** What a sign-in asks for unless told otherwise. */
export const defaultScopes: readonly string[] = ['read', 'write', 'push'];

/** What an admin asks for besides, to moderate the server. */
export const adminScopes: Readonly<Record<Software, readonly string[]>> = {
  pixelfed: ['admin:read', 'admin:write'],
  mastodon: ['admin:read:domain_blocks', 'admin:write:domain_blocks'],
};

/** The needed scopes that are not among those given. On Mastodon, a scope includes those that begin with it: `admin:read` all that admins read. */
export function missingScopes(needed: readonly string[], given: readonly string[]): string[] {
  return needed.filter((scope) => !given.some((one) => one === scope || scope.startsWith(`${one}:`)));
}
