/** Labelled items without copies, and how many were left out. */
export interface LabelledOnce<Item> {
  /** One item for each key. */
  readonly kept: readonly Item[];
  /** How many further items have the same key and the same label. */
  readonly repeated: number;
  /** How many items have a key with both labels: it is unknown which one is right. */
  readonly contradictory: number;
}

/** Keeps one item for each key, and none for a key with both labels. */
export function labelledOnce<Item extends { readonly label: string }>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): LabelledOnce<Item> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  const agreed = [...groups.values()].filter((group) =>
    group.every(({ label }) => label === group[0]?.label),
  );
  const inAgreed = agreed.reduce((sum, group) => sum + group.length, 0);
  return {
    kept: agreed.flatMap(([first]) => first ?? []),
    repeated: inAgreed - agreed.length,
    contradictory: items.length - inAgreed,
  };
}
