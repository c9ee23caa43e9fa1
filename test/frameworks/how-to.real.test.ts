import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../architecture/repository.js';
import { snippetsOf } from '../docs/snippets.js';
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
