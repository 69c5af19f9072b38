/** Things that belong together, in the order in which their groups come up. */
export function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): (readonly [string, readonly Item[]])[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups];
}
