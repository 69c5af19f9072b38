/** The severities of domain blocks in lists, lowest first. */
export const severities = ['noop', 'silence', 'suspend'] as const;

export type Severity = (typeof severities)[number];

const names: ReadonlyMap<string, Severity> = new Map([
  ['', 'noop'],
  ['none', 'noop'],
  ['noop', 'noop'],
  ['silence', 'silence'],
  ['limit', 'silence'],
  ['suspend', 'suspend'],
]);

/** Reads the names that tools use. An empty cell is `noop`. */
export function severityOf(text: string): Severity | undefined {
  return names.get(text.trim().toLowerCase());
}

export function isAtLeast(severity: Severity, least: Severity): boolean {
  return severities.indexOf(severity) >= severities.indexOf(least);
}
