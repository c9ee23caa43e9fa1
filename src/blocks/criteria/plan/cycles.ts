type Graph = ReadonlyMap<string, readonly string[]>;

interface Step {
  readonly node: string;
  readonly edges: readonly string[];
  next: number;
}

/**
 * Returns one shortest cycle for each strongly connected component of a graph, as a path that ends
 * with its first node. A node with an edge to itself is a cycle, too. It does not recurse, so it
 * handles long chains.
 */
export function cyclesIn(graph: Graph, most = 20): string[][] {
  const order = new Map([...graph.keys()].map((node, index) => [node, index]));
  const place = (node: string | undefined): number => order.get(node ?? '') ?? 0;
  const knots = components(graph).map((nodes) => nodes.sort((a, b) => place(a) - place(b)));
  const cycles: string[][] = [];
  for (const knot of knots.sort(([a], [b]) => place(a) - place(b))) {
    if (cycles.length >= most) break;
    cycles.push(
      ...knot.filter((node) => graph.get(node)?.includes(node)).map((node) => [node, node]),
    );
    if (knot.length > 1) cycles.push(cycleThrough(knot[0] ?? '', new Set(knot), graph));
  }
  return cycles.slice(0, most);
}

export function components(graph: Graph): string[][] {
  const walk = new Tarjan(graph);
  for (const start of graph.keys()) walk.from(start);
  return walk.found;
}

class Tarjan {
  readonly found: string[][] = [];
  readonly #graph: Graph;
  readonly #index = new Map<string, number>();
  readonly #low = new Map<string, number>();
  readonly #waiting: string[] = [];
  readonly #isWaiting = new Set<string>();

  constructor(graph: Graph) {
    this.#graph = graph;
  }

  from(start: string): void {
    if (this.#index.has(start)) return;
    const path = [this.#enter(start)];
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const to = step.edges[step.next];
      step.next += 1;
      if (to === undefined) {
        path.pop();
        this.#leave(step.node, path.at(-1)?.node);
      } else if (this.#graph.has(to) && !this.#index.has(to)) path.push(this.#enter(to));
      else if (this.#isWaiting.has(to)) this.#lower(step.node, this.#index.get(to) ?? 0);
    }
  }

  #enter(node: string): Step {
    this.#low.set(node, this.#index.size);
    this.#index.set(node, this.#index.size);
    this.#waiting.push(node);
    this.#isWaiting.add(node);
    return { node, edges: this.#graph.get(node) ?? [], next: 0 };
  }

  #leave(node: string, before: string | undefined): void {
    const low = this.#low.get(node) ?? 0;
    if (before !== undefined) this.#lower(before, low);
    if (low !== this.#index.get(node)) return;
    const component = this.#waiting.splice(this.#waiting.lastIndexOf(node));
    for (const member of component) this.#isWaiting.delete(member);
    this.found.push(component);
  }

  #lower(node: string, value: number): void {
    this.#low.set(node, Math.min(this.#low.get(node) ?? 0, value));
  }
}

function cycleThrough(start: string, within: ReadonlySet<string>, graph: Graph): string[] {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (let at = 0; at < queue.length; at += 1) {
    const node = queue[at] ?? start;
    const edges = graph.get(node) ?? [];
    if (node !== start && edges.includes(start)) return [...pathTo(node, start, cameFrom), start];
    for (const to of edges) {
      if (!within.has(to) || to === start || cameFrom.has(to)) continue;
      cameFrom.set(to, node);
      queue.push(to);
    }
  }
  return [start, start];
}

function pathTo(node: string, start: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const path = [node];
  for (let at = node; at !== start; ) {
    at = cameFrom.get(at) ?? start;
    path.push(at);
  }
  return path.reverse();
}

export function cycleText(cycle: readonly string[]): string {
  const shown =
    cycle.length <= 40
      ? cycle
      : [...cycle.slice(0, 30), `... ${cycle.length - 33} more ...`, ...cycle.slice(-3)];
  return shown.join(' -> ');
}
