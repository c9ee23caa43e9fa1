import type { ReviewerContext } from '../core/reviewer.js';

/** The work starts after this many turns of promises without a new call. */
const quietTurns = 20;

interface Open<Item, Result> {
  readonly items: Item[];
  readonly results: Promise<readonly Result[]>;
}

/**
 * Merges concurrent calls into one: the first caller does the work for all, and the others wait for
 * it.
 */
export function gather<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): (group: string, item: Item, context: Pick<ReviewerContext, 'join'>) => Promise<Result> {
  const groups = new Map<string, Open<Item, Result>>();
  const begin = async (group: string, items: readonly Item[]): Promise<readonly Result[]> => {
    for (
      let seen = 0, quiet = 0;
      quiet < quietTurns;
      quiet = items.length === seen ? quiet + 1 : 0
    ) {
      seen = items.length;
      await Promise.resolve();
    }
    groups.delete(group);
    return work(items);
  };
  return async (group, item, context) => {
    const open = groups.get(group);
    if (open !== undefined) {
      const place = open.items.push(item) - 1;
      return resultAt(await context.join(open.results), place);
    }
    const items = [item];
    const results = begin(group, items);
    groups.set(group, { items, results });
    return resultAt(await results, 0);
  };
}

function resultAt<Result>(results: readonly Result[], place: number): Result {
  const result = results[place];
  if (result === undefined) throw new Error(`the work returned ${results.length} results`);
  return result;
}
