export const mask = '***';

/** A secret of fewer characters may occur in other text by chance, and is masked only where it stands alone. */
const minSecretLength = 8;

/** The forms of a secret in a text, and their replacements: plain, in JSON with or without PHP's `\/`, in a URL. */
function formsOf(secret: string): (readonly [form: string, shown: string])[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const forms = [secret, json, json.replaceAll('/', '\\/'), encodeURIComponent(secret.toWellFormed())];
  if (secret.length >= minSecretLength) return forms.map((form) => [form, mask]);
  return forms.flatMap(
    (form) =>
      [
        [`"${form}"`, `"${mask}"`],
        [`Bearer ${form}`, `Bearer ${mask}`],
      ] as const,
  );
}

export function redact(text: string, secrets: readonly string[]): string {
  if (text !== '' && secrets.includes(text)) return mask;
  // Longest first: else the end of a secret that begins with another one would remain.
  const forms = secrets
    .filter((secret) => secret !== '')
    .flatMap(formsOf)
    .sort(([a], [b]) => b.length - a.length);
  return forms.reduce((clean, [form, shown]) => clean.replaceAll(form, shown), text);
}
