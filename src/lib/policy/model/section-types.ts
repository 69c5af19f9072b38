/** What sections are about. Each adds its own to these types, beside its record. */
/* oxlint-disable typescript/no-empty-interface, typescript/no-empty-object-type */

/** The rules of a policy, by sections. */
export interface Rules {}

/** What a server has, by sections. */
export interface Values {}

/** The changes, by kinds of items; `never` where there are none. */
export interface Changes {}

/** As in a policy: `domain_blocks`. */
export type SectionKey = keyof Rules & keyof Values;

/** One item of a section: `domain_block`. */
export type ItemKind = keyof Changes;
