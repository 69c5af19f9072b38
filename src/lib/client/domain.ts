import {Failure} from './failure.js';

/**
 * The host of a domain as people write it: bare, with a scheme, a path or a trailing dot, in any case, in Unicode.
 * @throws Failure `usage` for what names no host
 */
export function hostOf(text: string): string {
  const domain = text.trim();
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(domain) ? domain.replace(/^[^:]*/, 'https') : `https://${domain}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const host = url?.hostname.replace(/\.+$/, '') ?? '';
  if (url === undefined || host === '' || /[*\s]/.test(domain)) {
    throw new Failure('usage', `"${domain}" is not a domain`, {hint: 'give a host such as bad.example'});
  }
  if (url.username !== '') {
    throw new Failure('usage', `"${domain}" is an account, not a domain`, {hint: `for its whole server: ${host}`});
  }
  return host;
}
