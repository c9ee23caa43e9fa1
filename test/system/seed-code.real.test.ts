import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { describeCorpora } from '../support/corpora.js';

const root = join(import.meta.dirname, '../..');
const temp = join(root, 'temp/seed-code');

/** The code blocks of seed 004 by the path in their first line. */
function blocksOf(seeds: string): Map<string, string> {
  const name = readdirSync(seeds).find((file) => file.startsWith('004_'));
  if (name === undefined) throw new Error(`no seed 004 in ${seeds}`);
  const text = readFileSync(join(seeds, name), 'utf8');
  const blocks = [...text.matchAll(/```typescript\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
  return new Map(blocks.map((block) => [/^\/\/ (\S+)/.exec(block)?.[1] ?? '', block]));
}

/** The block with its import lines taken out, and others put in their place. */
function withImports(block: string, imports: string): string {
  return `${imports}\n${block.replace(/^import [\s\S]*? from '[^']*';\n/gm, '')}`;
}

const criteriaImports =
  "import { type AgentOutput, type AgentRequest, BaseAgentReviewCriteria, type CriterionResult, type RequirementCoverage, type ReviewCriterion } from '@/index.js'; import type { ReviewContext as ReviewContext } from '@/products/self-review/index.js';";
const agentImports = [
  "import { type AgentOutput, type AgentRequest, type AgentReviewCriteria, type Gap, type SelfReviewConfig, SelfReviewLoop, type SelfReviewResult } from '@/index.js'; import { buildGapAddressingPrompt, mergeImprovements } from '@/products/self-review/index.js';",
  "import { logger } from './harness.js';",
].join('\n');

/** What the document leaves out of its class: two members, added from outside, and something that can be run. */
const harness = `
interface BaseAgent { metadata: { id: string }; callLLMForImprovements(prompt: string): Promise<AgentOutput> }
export { BaseAgent };
`;

describeCorpora('the code of seed 004', (corpora) => {
  const seeds = join(corpora, '../seeds');
  const files: string[] = [];

  beforeAll(() => {
    expect(existsSync(seeds)).toBe(true);
    const blocks = blocksOf(seeds);
    const block = (end: string): string =>
      [...blocks].find(([path]) => path.endsWith(end))?.[1] ?? '';
    mkdirSync(temp, { recursive: true });
    const write = (name: string, content: string): void => {
      files.push(join(temp, name));
      writeFileSync(join(temp, name), content);
    };
    write(
      'harness.ts',
      'export const logged: object[] = [];\nexport const logger = { info: (message: string, fields: object): void => void logged.push({ message, ...fields }) };\n',
    );
    write(
      'ui-designer-criteria.ts',
      withImports(block('ui-designer-criteria.ts'), criteriaImports),
    );
    write(
      'project-manager-criteria.ts',
      withImports(block('project-manager-criteria.ts'), criteriaImports),
    );
    write('base-agent.ts', withImports(block('base-agent.ts'), agentImports) + harness);
  });

  it('compiles with nothing but its import lines edited [D004-39]', () => {
    const compilerOptions = {
      ...{
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        skipLibCheck: true,
        target: 'es2022',
        lib: ['es2023'],
      },
      ...{
        module: 'nodenext',
        moduleResolution: 'nodenext',
        types: ['node'],
        typeRoots: [join(root, 'node_modules/@types')],
        paths: { '#hash': [join(root, 'src/core/portable-hash.ts')], '@/*': [join(root, 'src/*')] },
      },
    };
    writeFileSync(
      join(temp, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions,
        files: [...files, join(root, 'src/blocks/criteria/css-tree-parts.d.ts')],
      }),
    );
    const compiler = join(root, 'node_modules/typescript7/bin/tsc');
    const { status, stdout } = spawnSync(
      process.execPath,
      [compiler, '-p', temp, '--pretty', 'false'],
      { encoding: 'utf8' },
    );
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  });

  it('its criteria classes and its BaseAgent run over our loop [SR-14, SR-55, SR-137, SR-150]', async () => {
    const load = async (name: string): Promise<Record<string, new () => never>> =>
      import(/* @vite-ignore */ pathToFileURL(join(temp, name)).href);
    const { agentRequest, SelfReviewLoop } = await import('@/index.js');
    const { UIDesignerReviewCriteria } = await load('ui-designer-criteria.ts');
    const { ProjectManagerReviewCriteria } = await load('project-manager-criteria.ts');
    const { BaseAgent } = await load('base-agent.ts');
    const page = {
      type: 'mockup',
      path: 'login.html',
      content:
        '<button aria-label="sign in">Sign in</button> login page must have password toggle forgot link error message display visibility',
    };
    const style = {
      type: 'stylesheet',
      path: 'a.css',
      content: '@media (max-width: 9px) { a { color: var(--x); display: flex } }',
    };
    const request = agentRequest('login page');
    const ui = await new SelfReviewLoop(new UIDesignerReviewCriteria!()).execute(
      request,
      async () => ({ artifacts: [page, style] }),
    );
    expect(ui.reviews[0]?.criticalGapCount).toBe(0);
    expect(ui.outcome.reviews[0]?.assessments.every(({ verdict }) => verdict !== 'errored')).toBe(
      true,
    );
    const plan = {
      epics: [
        {
          features: [
            {
              title: 'f',
              tasks: [
                {
                  id: 'a',
                  title: 'write a plan',
                  acceptanceCriteria: ['x'],
                  assignedAgents: ['y'],
                  dependencies: [],
                },
              ],
            },
          ],
        },
      ],
    };
    const pm = await new SelfReviewLoop(new ProjectManagerReviewCriteria!()).execute(
      agentRequest('write a plan'),
      async () => ({ artifacts: [], result: plan }),
    );
    expect(pm.outcome.approved).toBe(true);
    class Agent extends (BaseAgent as unknown as new () => {
      execute(request: unknown): Promise<{ artifacts: { path: string }[] }>;
    }) {
      metadata = { id: 'seed-agent' };
      getReviewCriteria() {
        return {
          agentId: 'x',
          criteria: [
            {
              id: 'two',
              name: 'Two',
              description: 'two files',
              severity: 'major',
              category: 'missing',
              validate: async (output: { artifacts: object[] }) => ({
                passed: output.artifacts.length > 1,
                score: output.artifacts.length > 1 ? 1 : 0,
                details: 'one file',
              }),
            },
          ],
          extractRequirements: async () => [],
          checkRequirementCovered: async () => null,
        };
      }
      produce() {
        return Promise.resolve({ artifacts: [page] });
      }
      async callLLMForImprovements(prompt: string) {
        expect(prompt).toContain('one file');
        return { artifacts: [style] };
      }
    }
    const output = await new Agent().execute(request);
    expect(output.artifacts.map(({ path }) => path)).toEqual(['login.html', 'a.css']);
  });
});

it('without the seeds, the two classes of the library stand for those of the document', async () => {
  const { ProjectManagerReviewCriteria, UIDesignerReviewCriteria } = await import(
    '@/products/self-review/index.js'
  );
  expect([
    new UIDesignerReviewCriteria().agentId,
    new ProjectManagerReviewCriteria().agentId,
  ]).toEqual(['ui_designer', 'project_manager']);
});
