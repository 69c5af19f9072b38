/** Shown in place of a secret. */
export const mask = '***';

/** Characters; a shorter text stands in others by chance, and is a secret only where it stands alone. */
const shortestSecret = 8;

/** A secret as it may stand in a text, and what is shown instead: as it is, in JSON with or without PHP's `\/`, in a URL. */
function formsOf(secret: string): (readonly [form: string, shown: string])[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const forms = [secret, json, json.replaceAll('/', '\\/'), encodeURIComponent(secret.toWellFormed())];
  if (secret.length >= shortestSecret) return forms.map((form) => [form, mask]);
  return forms.flatMap(
    (form) =>
      [
        [`"${form}"`, `"${mask}"`],
        [`Bearer ${form}`, `Bearer ${mask}`],
      ] as const,
  );
}

/** Replaces every occurrence of the secrets in a text. */
export function redact(text: string, secrets: readonly string[]): string {
  if (text !== '' && secrets.includes(text)) return mask;
  // Longest first: a secret that begins with another one would leave its end behind.
  const forms = secrets
    .filter((secret) => secret !== '')
    .flatMap(formsOf)
    .sort(([a], [b]) => b.length - a.length);
  return forms.reduce((clean, [form, shown]) => clean.replaceAll(form, shown), text);
}
