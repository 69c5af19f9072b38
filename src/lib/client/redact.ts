/** Shown in place of a secret. */
export const mask = '***';

/** Replaces every occurrence of the secrets in a text. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets.reduce((clean, secret) => (secret === '' ? clean : clean.replaceAll(secret, mask)), text);
}
