import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';
import type { ArtifactCriterion } from '@/blocks/criteria/artifact-criterion.js';
import { codeCriteria } from '@/blocks/criteria/code/code-criteria.js';
import { planCriteria } from '@/blocks/criteria/plan/plan-criteria.js';
import { plansOf } from '@/blocks/criteria/plan/read-plans.js';
import { textCriteria } from '@/blocks/criteria/text/text-criteria.js';
import { CriterionResultSchema, type Finding } from '@/core/criterion.js';
import type { AgentOutput } from '@/products/self-review/agent.js';
import { describeCorpora } from '../support/corpora.js';

const context = { previous: [], previousOutputs: [], previousReviews: [] };

function outputOf(folder: string): AgentOutput & { readonly bytes: number } {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
  const artifacts = files.map((path) => ({
    type: 'text',
    path: relative(folder, path),
    content: readFileSync(path, 'utf8'),
  }));
  return { artifacts, bytes: artifacts.reduce((sum, { content }) => sum + content.length, 0) };
}

async function findingsOf(
  output: AgentOutput,
  criteria: readonly ArtifactCriterion[],
): Promise<(Finding & { readonly criterion: string })[]> {
  const found: (Finding & { criterion: string })[] = [];
  for (const criterion of criteria) {
    const { findings = [] } = CriterionResultSchema.parse(
      await criterion.validate(output, undefined, context),
    );
    found.push(...findings.map((finding) => ({ ...finding, criterion: criterion.id })));
  }
  return found;
}

describeCorpora('criteria over texts and code on documents that people wrote', (folder) => {
  // how many findings each may have at most; those of the seeds, and of a template among the documents, are right
  const most = { 'task-docs': 1, plans: 0, css: 0, '../seeds': 1 };

  for (const [name, ceiling] of Object.entries(most)) {
    it(`${name}: at most ${ceiling} findings`, async () => {
      const output = outputOf(join(folder, name));
      const found = await findingsOf(output, [...textCriteria(), ...codeCriteria()]);
      console.log(
        `shelf, ${name}: ${output.artifacts.length} files, ${output.bytes} characters, ${found.length} findings ${found.map(({ criterion, file, line }) => `${criterion} ${file}:${line}`).join(', ')}`,
      );
      expect(found.length).toBeLessThanOrEqual(ceiling);
    });
  }

  it('the placeholder that a seed really holds is found', async () => {
    const found = await findingsOf(outputOf(join(folder, '../seeds')), textCriteria());
    expect(found).toMatchObject([
      {
        criterion: 'text-placeholders',
        description: 'a placeholder was left: [TODO: review this]',
      },
    ]);
  });

  it('code of diffs: added lines raise no false alarm of secrets, hidden characters and assistants', async () => {
    const { artifacts } = outputOf(join(folder, 'diffs'));
    const added = artifacts
      .filter(({ path }) => path.endsWith('.diff') && !/naughty|nonutf8|binary|ansi/.test(path))
      .map(({ path, content = '' }) => ({
        type: 'code',
        path: `${path}.ts`,
        content: (content.match(/^\+(?!\+\+).*$/gm) ?? []).map((line) => line.slice(1)).join('\n'),
      }));
    const found = await findingsOf(
      { artifacts: added },
      codeCriteria().filter(({ id }) => /secrets|bidi|chatter|conflict/.test(id)),
    );
    console.log(`shelf, diffs: ${added.length} files, ${found.length} findings`);
    expect(found).toEqual([]);
  });
});

describeCorpora('plans that people wrote', (folder) => {
  it('every list of OpenSpec is read whole, and its dependencies are valid', async () => {
    const output = outputOf(join(folder, 'plans/openspec'));
    // the folders of a path stand in the name of its file
    for (const it of output.artifacts) Object.assign(it, { path: it.path.replaceAll('__', '/') });
    const { plans, notChecked } = await plansOf(output);
    const tasks = plans.flatMap((plan) => plan.tasks);
    const boxes = output.artifacts.flatMap(
      ({ content = '' }) => content.match(/^[ \t]*[-*+] \[[ xX]\] \S/gm) ?? [],
    ).length;
    const found = await findingsOf(output, planCriteria());
    const blocking = found.filter(({ severity }) => severity !== 'minor');
    console.log(
      `shelf, plans: ${plans.length} of ${output.artifacts.length} files are plans, ${tasks.length} of ${boxes} tasks, ${tasks.filter(({ id }) => id !== '').length} with a number; ${blocking.length} findings, ${found.length - blocking.length} remarks`,
    );
    expect([plans.length, notChecked]).toEqual([output.artifacts.length, []]);
    expect(tasks.length).toBe(boxes);
    expect(blocking).toEqual([]);
    expect(found.length).toBeLessThanOrEqual(2);
  });
});

describeCorpora('hostile texts', (folder) => {
  const hostile = join(folder, 'hostile-text');
  const texts = [
    ...z.array(z.string()).parse(JSON.parse(readFileSync(join(hostile, 'blns.json'), 'utf8'))),
    readFileSync(join(hostile, 'utf8tests.bin'), 'latin1'),
    readFileSync(join(hostile, 'ansi-escape.json'), 'utf8'),
  ];

  it('are judged as every kind of file, and throw nothing', async () => {
    const paths = [
      'a.md',
      'b.txt',
      'c.html',
      'd.ts',
      'e.py',
      'f.json',
      'plan.yaml',
      'tasks.json',
      'tasks.md',
      '.env',
    ];
    for (const text of texts) {
      const output: AgentOutput = {
        artifacts: paths.map((path) => ({ type: 'text', path, content: `${text}\n${text}` })),
      };
      await findingsOf(output, [...textCriteria(), ...codeCriteria(), ...planCriteria()]);
    }
    console.log(`shelf, hostile: ${texts.length} texts as ${paths.length} kinds of file`);
  });
});
