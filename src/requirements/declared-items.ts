import type { Block, Item } from './block.js';
import { isDeclaration } from './shape.js';

/** The items of lists of boxes that the author of an issue ticks: among them one says what "I" did, so the others ask for nothing either. */
export function declaredItems(blocks: readonly Block[]): ReadonlySet<Block> {
  const found = new Set<Block>();
  let list: Item[] = [];
  const close = (): void => {
    if (list.some(({ lines }) => isDeclaration(lines.join(' ').trim())))
      for (const item of list) found.add(item);
    list = [];
  };
  for (const block of blocks) {
    if (block.kind === 'item' && block.form === 'task') list.push(block);
    else close();
  }
  close();
  return found;
}
