import type { Block, Item } from './block.js';

interface OpenList {
  readonly indent: number;
  readonly items: Item[];
  demands: number;
}

/**
 * The items of lists in which most items demand something: what stands in line with demands is one, although its own words
 * could be a name ("Support arrow keys" between "Add a menu" and "Keep the focus").
 */
export function parallelItems(
  blocks: readonly Block[],
  isDemand: (text: string) => boolean,
): ReadonlySet<Block> {
  const found = new Set<Block>();
  const open: OpenList[] = [];
  const close = (indent: number): void => {
    for (let list = open.at(-1); list !== undefined && list.indent > indent; list = open.at(-1)) {
      if (list.demands > 1 && list.demands * 2 > list.items.length)
        for (const item of list.items) found.add(item);
      open.pop();
    }
  };
  for (const block of blocks) {
    if (block.kind === 'heading') close(-2);
    else if (block.kind === 'paragraph') close(block.indent);
    if (block.kind !== 'item') continue;
    close(block.indent);
    let list = open.at(-1);
    if (list?.indent !== block.indent) {
      list = { indent: block.indent, items: [], demands: 0 };
      open.push(list);
    }
    list.items.push(block);
    if (isDemand(block.lines.join(' ').trim())) list.demands += 1;
  }
  close(-2);
  return found;
}
