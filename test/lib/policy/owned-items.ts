import type {OwnedItem} from '../../../src/lib/policy/model/items.js';

interface Owned {
  readonly domains?: readonly string[];
  readonly blocks?: readonly string[];
  readonly mutes?: readonly string[];
  /** Titles by their ids. */
  readonly filters?: Readonly<Record<string, string>>;
}

/** What an account owns, in the order of plans. */
export function owned({domains = [], blocks = [], mutes = [], filters = {}}: Owned, owner = 'ana@pix.example'): OwnedItem[] {
  return [
    ...domains.map((subject) => ({owner, kind: 'domain_block', subject}) as const),
    ...blocks.map((subject) => ({owner, kind: 'block', subject}) as const),
    ...mutes.map((subject) => ({owner, kind: 'mute', subject}) as const),
    ...Object.entries(filters).map(([id, subject]) => ({owner, kind: 'filter', subject, id}) as const),
  ];
}

export function subjectsOf(items: readonly OwnedItem[], kind: OwnedItem['kind']): string[] {
  return items.flatMap((item) => (item.kind === kind ? item.subject : []));
}
