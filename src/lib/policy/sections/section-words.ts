/** Words that only the reference of policies has. No command imports them, so the bundle is without them. */

interface KeyWords {
  /** Sentences in Markdown, besides the description that the schema has. */
  readonly more?: string;
  /** A policy in YAML, without its version, that has the key. */
  readonly example: string;
}

/** The words on the keys of a section, by their path in it: `must[].until`. */
export type SectionWords = Readonly<Record<string, KeyWords>>;

/** An account section, whose items are named as in `must`. @param item an account as policies name it */
export function namedSetWords(section: string, item: string): SectionWords {
  const example = (rules: string): string => `${section}: {${rules}}`;
  return {
    must: {example: example(`must: ['${item}']`)},
    'must[].account': {example: example(`must: [{account: '${item}', until: 2026-12-31}]`)},
    must_not: {example: example(`must_not: ['${item}']`)},
    only: {example: example(`must: ['${item}'], only: true`)},
  };
}
