import { join } from 'node:path';
import { expect, it } from 'vitest';
import { reviewOutput } from '@/blocks/pipeline/define-pipeline.js';
import { cspell } from '@/blocks/reviewers/command/cspell.js';
import { eslint } from '@/blocks/reviewers/command/eslint.js';
import { type AgentOutput, agentRequest } from '@/products/self-review/agent.js';
import { folderOf } from '../../faces/cli/harness.js';

it('the real ESLint and the real CSpell judge by the configuration of the project [R2-095]', async () => {
  const folder = await folderOf({
    'eslint.config.mjs': "export default [{ rules: { 'no-eval': 'error' } }];",
    'cspell.json': '{ "version": "0.2", "words": ["zorblat"], "flagWords": ["leverage"] }',
  });
  const here = import.meta.dirname;
  const output: AgentOutput = {
    artifacts: [
      { type: 'code', path: '../up/a.js', content: '// eslint-disable-next-line\neval("1");\n' },
      {
        type: 'document',
        path: 'a b.md',
        content: '<!-- cspell:disable -->\nA zorblat recieves leverage.\n',
      },
      { type: 'document', path: 'cspell.json', content: '{ "words": ["recieves"] }' },
    ],
  };
  const { assessments } = await reviewOutput({
    task: agentRequest('x'),
    output,
    reviewers: [
      eslint<AgentOutput>({ folder: here, config: join(folder, 'eslint.config.mjs') }),
      cspell<AgentOutput>({ folder: here, config: join(folder, 'cspell.json') }),
    ],
  });
  expect(assessments).toMatchObject([
    {
      verdict: 'fail',
      gaps: [{ location: { file: '../up/a.js', line: 2 }, evidence: 'eval("1");' }],
    },
    {
      verdict: 'pass',
      gaps: [
        { description: 'CSpell: "recieves" is misspelt', location: { file: 'a b.md', line: 2 } },
        {
          description: 'CSpell: "leverage" is a forbidden word',
          location: { file: 'a b.md', line: 2 },
        },
      ],
    },
  ]);
});
