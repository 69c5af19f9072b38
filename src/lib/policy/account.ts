/**
 * The one form that accounts are compared in: `@Bo@Remote.example` and `bo@remote.example` are one, and a name without
 * a host is of the server itself.
 */
export function handleOf(text: string, host: string): string {
  const [user = '', at = host] = text.trim().replace(/^@/, '').toLowerCase().split('@');
  return `${user}@${at}`;
}

/** Whether a text is an account as people write it: `ana`, `@ana`, `ana@pix.example`. */
export function isHandle(text: string): boolean {
  return /^@?[\p{L}\p{N}_.-]+(@[\p{L}\p{N}.-]+(:\d+)?)?$/u.test(text.trim());
}
