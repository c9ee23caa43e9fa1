import pLimit from 'p-limit';

/**
 * Keeps the order of the items. The first error is thrown once nothing is under way any more; work
 * that has not begun by then is not begun.
 */
export async function mapBounded<Item, Value>(
  items: readonly Item[],
  n: number,
  work: (item: Item) => Promise<Value>,
): Promise<Value[]> {
  const slots = pLimit(n);
  const failures: unknown[] = [];
  const values: Value[] = [];
  const perform = async (item: Item, index: number): Promise<void> => {
    if (failures.length > 0) return;
    try {
      values[index] = await work(item);
    } catch (error) {
      failures.push(error);
    }
  };
  await Promise.all(items.map((item, index) => slots(perform, item, index)));
  if (failures.length > 0) throw failures[0];
  return values;
}
