/** Shown in place of a secret. */
export const mask = '***';

/** A secret as it may stand in a text: as it is, in JSON with or without PHP's `\/`, in a URL. */
function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  return [secret, json, json.replaceAll('/', '\\/'), encodeURIComponent(secret.toWellFormed())];
}

/** Replaces every occurrence of the secrets in a text. */
export function redact(text: string, secrets: readonly string[]): string {
  // Longest first: a secret that begins with another one would leave its end behind.
  const forms = [...new Set(secrets.flatMap(formsOf))].filter((form) => form !== '').sort((a, b) => b.length - a.length);
  return forms.reduce((clean, form) => clean.replaceAll(form, mask), text);
}
