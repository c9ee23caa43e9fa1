import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { LibSQLStore } from '@mastra/libsql';
import * as z from 'zod';
import {
  apiKey,
  baseURL,
  concurrency,
  judgePrompt,
  model as name,
  questions,
  revisePrompt,
  rounds,
  rules,
  stateDir,
  task,
  writePrompt,
} from '../task.mjs';

const model = { id: `fake/${name}`, url: baseURL, apiKey };
const writer = new Agent({ id: 'writer', name: 'writer', instructions: 'You write.', model });
const judge = new Agent({ id: 'judge', name: 'judge', instructions: 'You judge.', model });
const Verdict = z.object({ passed: z.boolean(), reason: z.string() });
const Draft = z.object({ text: z.string(), round: z.number(), approved: z.boolean() });
const judgeStep = createStep(judge, { structuredOutput: { schema: Verdict } });

const reviseStep = createStep({
  id: 'revise',
  inputSchema: z.array(Verdict),
  outputSchema: Draft,
  execute: async ({ inputData, getInitData }) => {
    const { text, round: before } = getInitData();
    const round = before + 1;
    const problems = [
      ...rules.map(({ check }) => check(text)).filter((each) => each !== true),
      ...inputData.filter(({ passed }) => !passed).map(({ reason }) => reason),
    ];
    if (problems.length === 0) return { text, round, approved: true };
    if (round === rounds) return { text, round, approved: false };
    const revised = await writer.generate(revisePrompt(text, problems));
    return { text: revised.text, round, approved: false };
  },
});

const roundWorkflow = createWorkflow({ id: 'round', inputSchema: Draft, outputSchema: Draft })
  .map(async ({ inputData: { text } }) =>
    questions.map(({ question }) => ({ prompt: judgePrompt(question, text) })),
  )
  .foreach(judgeStep, { concurrency })
  .then(reviseStep)
  .commit();

const article = createWorkflow({ id: 'article', inputSchema: z.string(), outputSchema: Draft })
  .map(async ({ inputData }) => ({ prompt: writePrompt(inputData) }))
  .then(createStep(writer))
  .map(async ({ inputData: { text } }) => ({ text, round: 0, approved: false }))
  .dountil(roundWorkflow, async ({ inputData: { approved, round } }) => approved || round >= rounds)
  .commit();

const storage = new LibSQLStore({ id: 'store', url: `file:${stateDir}/mastra.db` });
const mastra = new Mastra({ storage, workflows: { article } });

export async function run(runId) {
  const workflow = mastra.getWorkflow('article');
  const kept = await workflow.getWorkflowRunById(runId);
  const articleRun = await workflow.createRun({ runId });
  const outcome =
    kept?.status === 'running'
      ? await articleRun.restart()
      : kept?.status === 'failed'
        ? await articleRun.timeTravel({ step: 'round.judge' })
        : await articleRun.start({ inputData: task });
  return { status: outcome.status, ...outcome.result };
}
