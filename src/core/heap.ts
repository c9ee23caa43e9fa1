/** The smaller its age, the earlier it goes. */
interface Aged {
  readonly age: number;
}

function before(a: Aged, b: Aged): boolean {
  return a.age < b.age;
}

export function push<Item extends Aged>(heap: Item[], item: Item): void {
  let at = heap.length;
  heap.push(item);
  while (at > 0) {
    const up = (at - 1) >> 1;
    const parent = heap[up];
    if (parent === undefined || !before(item, parent)) break;
    heap[at] = parent;
    at = up;
  }
  heap[at] = item;
}

export function pop<Item extends Aged>(heap: Item[]): Item | undefined {
  const top = heap[0];
  const last = heap.pop();
  if (last === undefined || last === top) return top;
  let at = 0;
  for (let down = childOf(heap, at); ; down = childOf(heap, at)) {
    const child = heap[down];
    if (child === undefined || !before(child, last)) break;
    heap[at] = child;
    at = down;
  }
  heap[at] = last;
  return top;
}

/** The child that goes first; beyond the end if there is none. */
function childOf(heap: readonly Aged[], at: number): number {
  const left = 2 * at + 1;
  const [first, second] = [heap[left], heap[left + 1]];
  return first !== undefined && second !== undefined && before(second, first) ? left + 1 : left;
}
