import { alg, Graph } from '@dagrejs/graphlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DataTree, readJson, readYaml } from '@/blocks/criteria/data/data-tree.js';
import { components, cyclesIn } from '@/blocks/criteria/plan/cycles.js';
import { planCriteria } from '@/blocks/criteria/plan/plan-criteria.js';
import { CriterionResultSchema } from '@/core/criterion.js';

const node = fc.integer({ min: 0, max: 12 }).map(String);
const edges = fc.array(fc.tuple(node, node), { maxLength: 40 });
const sorted = (groups: readonly (readonly string[])[]): string[] =>
  groups.map((group) => [...group].sort().join()).sort();

it('cycles are the components that graphlib finds, each with a path of existing edges', () => {
  fc.assert(
    fc.property(edges, (given) => {
      const oracle = new Graph({ directed: true });
      const graph = new Map<string, string[]>();
      for (const [from, to] of given) {
        oracle.setEdge(from, to);
        graph.set(from, [...(graph.get(from) ?? []), to]);
        graph.set(to, graph.get(to) ?? []);
      }
      const expected = alg.tarjan(oracle);
      expect(sorted(components(graph))).toEqual(sorted(expected));
      const cycles = cyclesIn(graph, 1000);
      expect(cycles.length > 0).toBe(alg.findCycles(oracle).length > 0);
      for (const cycle of cycles) {
        expect(cycle[0]).toBe(cycle.at(-1));
        expect(new Set(cycle).size).toBe(cycle.length - 1);
        for (const [index, from] of cycle.slice(0, -1).entries())
          expect(graph.get(from)).toContain(cycle[index + 1]);
      }
      const knots =
        expected.filter((group) => group.length > 1).length +
        [...graph].filter(([from, tos]) => tos.includes(from)).length;
      expect(cycles).toHaveLength(knots);
    }),
    { numRuns: 500 },
  );
});

function dataOf(tree: DataTree): unknown {
  if ('error' in tree) throw new Error(tree.error.message);
  const value = (part: typeof tree.root): unknown =>
    part.kind === 'array'
      ? (part.items ?? []).map(value)
      : part.kind === 'object'
        ? Object.fromEntries(
            (part.members ?? []).map(({ key, node: member }) => [key, value(member)]),
          )
        : part.value;
  return value(tree.root);
}

describe('data with places', () => {
  it('JSON reads as JSON.parse does, and refuses what it refuses', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.json(),
        fc.nat(),
        fc.string({ maxLength: 3 }),
        async (text, at, noise) => {
          const plain = JSON.parse(text) as unknown;
          if (!text.includes('__proto__')) expect(dataOf(await readJson(text))).toEqual(plain);
          const spoilt =
            text.slice(0, at % (text.length + 1)) + noise + text.slice(at % (text.length + 1));
          let isJson = true;
          try {
            JSON.parse(spoilt);
          } catch {
            isJson = false;
          }
          expect('root' in (await readJson(spoilt))).toBe(isJson);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('places are those of the parts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), async (text) => {
        const tree = await readJson(text);
        if ('error' in tree) return;
        const open = [tree.root];
        for (let part = open.pop(); part !== undefined; part = open.pop()) {
          expect(JSON.stringify(JSON.parse(text.slice(part.start, part.end)))).toBe(
            JSON.stringify(dataOf({ root: part })),
          );
          open.push(
            ...(part.items ?? []),
            ...(part.members ?? []).map(({ node: member }) => member),
          );
        }
      }),
    );
  });

  it('any text is read as YAML or refused', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({
          unit: fc.constantFrom(
            'a',
            ':',
            ' ',
            '-',
            '\n',
            '[',
            ']',
            '{',
            '}',
            '&',
            '*',
            '"',
            "'",
            '#',
            '|',
            '\t',
            '!',
            '\ufeff',
            '---\n',
          ),
        }),
        async (text) => {
          for (const tree of await readYaml(text))
            expect('root' in tree || tree.error.message !== '').toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('any file named as a plan is judged', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('tasks.json', 'plan.yaml', 'tasks.md', 'x.json'),
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.json().map((text) => `{"tasks": [${text}]}`),
        ),
        async (path, content) => {
          for (const criterion of planCriteria()) {
            const result = CriterionResultSchema.parse(
              await criterion.validate(
                { artifacts: [{ type: 'data', path, content }] },
                undefined,
                { previous: [] },
              ),
            );
            for (const { evidence = '' } of result.findings ?? [])
              expect(content).toContain(evidence);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
