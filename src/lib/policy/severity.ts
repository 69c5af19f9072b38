/** How severe a list calls the block of a domain, from the least to the most severe. */
export const severities = ['noop', 'silence', 'suspend'] as const;

export type Severity = (typeof severities)[number];

const names: Readonly<Record<string, Severity>> = {
  '': 'noop',
  none: 'noop',
  noop: 'noop',
  silence: 'silence',
  limit: 'silence',
  suspend: 'suspend',
};

/** What tools call severities; an empty cell is none. */
export function severityOf(text: string): Severity | undefined {
  return names[text.trim().toLowerCase()];
}

export function isAtLeast(severity: Severity, least: Severity): boolean {
  return severities.indexOf(severity) >= severities.indexOf(least);
}
