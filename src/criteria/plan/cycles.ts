/** A node whose edges are being followed. */
interface Step {
  readonly node: string;
  readonly edges: readonly string[];
  next: number;
}

/**
 * The cycles that a walk over a graph meets, each as its path with the first node again at its end. Uses no recursion, so
 * that long chains are no problem. At least one cycle is found where there is any.
 */
export function cyclesIn(graph: ReadonlyMap<string, readonly string[]>, most = 20): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  for (const start of graph.keys()) {
    if (!done.has(start)) walkFrom(start, graph, done, cycles);
    if (cycles.length >= most) return cycles.slice(0, most);
  }
  return cycles;
}

function walkFrom(start: string, graph: ReadonlyMap<string, readonly string[]>, done: Set<string>, cycles: string[][]): void {
  const path: Step[] = [{ node: start, edges: graph.get(start) ?? [], next: 0 }];
  const depths = new Map([[start, 0]]);
  for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
    const to = step.edges[step.next];
    step.next += 1;
    if (to === undefined) {
      done.add(step.node);
      depths.delete(step.node);
      path.pop();
      continue;
    }
    const depth = depths.get(to);
    if (depth !== undefined && cycles.length < 100) cycles.push([...path.slice(depth).map(({ node }) => node), to]);
    if (depth !== undefined || done.has(to) || !graph.has(to)) continue;
    depths.set(to, path.length);
    path.push({ node: to, edges: graph.get(to) ?? [], next: 0 });
  }
}

/** A cycle in words; a long one is cut in the middle. */
export function cycleText(cycle: readonly string[]): string {
  const shown = cycle.length <= 12 ? cycle : [...cycle.slice(0, 8), `... ${cycle.length - 11} more ...`, ...cycle.slice(-3)];
  return shown.join(' -> ');
}
