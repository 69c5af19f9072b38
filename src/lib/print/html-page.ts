/** What pages of HTML have in common. */
import {createHash} from 'node:crypto';

interface PageParts {
  readonly style: string;
  readonly script: string;
  /** Whether it shows files that are beside it. */
  readonly hasMedia?: boolean;
}

/** Allows only this style and this script, and nothing from the network. */
export function contentSecurityPolicy({style, script, hasMedia = false}: PageParts): string {
  const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  // Browsers differ in whether a file is of the same origin as the one beside it.
  const media = hasMedia ? " img-src 'self' file:; media-src 'self' file:;" : '';
  return `default-src 'none'; style-src ${hash(style)}; script-src ${hash(script)};${media} base-uri 'none'; form-action 'none'`;
}
