import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { bundled } from '../../scripts/bundled.cjs';
import { root } from '../architecture/repository.js';
import { snippetsOf } from '../docs/snippets.js';
import { bundle } from '../support/bundle.js';
import { describeFramework } from '../support/frameworks.js';

/** The how-to page of each set of packages. */
const pages = {
  'ai-7': 'ai-sdk',
  mastra: 'mastra',
  langgraph: 'langgraph',
  'openai-agents': 'openai-agents',
};

for (const [set, page] of Object.entries(pages))
  describeFramework(set, ({ run, typeErrors }) => {
    const file = `docs/how-to/${page}.md`;
    const snippets = snippetsOf(file, readFileSync(join(root, file), 'utf8')).filter(({ marks }) =>
      marks.includes(`framework=${set}`),
    );
    const model = readFileSync(join(root, `test/frameworks/programs/how-to/${set}.ts`), 'utf8');

    it(`${file} has a program`, () => {
      expect(snippets).not.toEqual([]);
    });

    for (const { code: program, line, prints } of snippets) {
      // another program is another bundle
      const digest = createHash('sha256').update(program).update(model).digest('hex').slice(0, 16);
      const place = `temp/how-to/${set}-${digest}`;

      it(`the program of ${file}:${line} has right types, and prints what the page says`, async () => {
        rmSync(join(root, place), { recursive: true, force: true });
        mkdirSync(join(root, place), { recursive: true });
        writeFileSync(join(root, place, 'model.ts'), model);
        writeFileSync(join(root, place, 'replies.ts'), program);
        expect(typeErrors([`${place}/model.ts`, `${place}/replies.ts`])).toBe('');
        const { code, out, err } = await run(`${place}/replies.ts`);
        expect(`${out}${err}`).toBe(prints);
        expect(code).toBe(0);
      });
    }
  });

const example = 'examples/frameworks/scorers.eval.ts';

const Results = z.object({
  evals: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      results: z.array(
        z.object({
          input: z.string(),
          output: z.unknown(),
          status: z.string(),
          scores: z.array(z.object({ name: z.string(), score: z.number(), metadata: z.unknown() })),
        }),
      ),
    }),
  ),
});

describeFramework('evalite', (framework) => {
  const place = join(framework.folder, `evals-${process.pid}`);
  let evals: z.infer<typeof Results>['evals'];
  let code: number | null;

  beforeAll(async () => {
    mkdirSync(place, { recursive: true });
    const made = await bundle({ file: join(root, example) }, 'scorers.eval', bundled);
    copyFileSync(made, join(place, 'scorers.eval.mts'));
    const program = join(framework.folder, 'node_modules/evalite/dist/bin.js');
    const child = spawn(
      process.execPath,
      [program, 'run', '--outputPath', 'results.json', '--hideTable'],
      { cwd: place, stdio: 'ignore', env: { ...process.env, VITEST: undefined, CI: 'true' } },
    );
    code = await new Promise((resolve) => child.on('close', resolve));
    ({ evals } = Results.parse(JSON.parse(readFileSync(join(place, 'results.json'), 'utf8'))));
  });
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  const resultsOf = (name: string) => evals.find((each) => each.name === name)?.results;

  it('the example compiles with the types of evalite', () => {
    expect(framework.typeErrors([example])).toBe('');
  });

  it('an approved output scores 1, and a refused one 0 with the gaps', () => {
    expect(resultsOf('articles')).toMatchObject([
      { input: '# Tea', status: 'success', scores: [{ name: 'approved', score: 1 }] },
      {
        input: 'Tea',
        status: 'success',
        scores: [
          {
            name: 'approved',
            score: 0,
            metadata: { approved: false, gaps: [{ description: 'titled: no title' }] },
          },
        ],
      },
    ]);
  });

  it('an output that nobody could tell about has no score, and its case fails with the reason', () => {
    expect(resultsOf('undecided')).toMatchObject([
      {
        status: 'fail',
        scores: [],
        output: { message: expect.stringContaining('nobody knows which day today is') },
      },
    ]);
    expect(code).toBe(1);
  });
});
