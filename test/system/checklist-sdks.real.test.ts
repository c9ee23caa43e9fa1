import { LLMock } from '@copilotkit/aimock';
import { describe, expect, it, onTestFinished } from 'vitest';
import { anthropicProvider } from '@/adapters/providers/anthropic/index.js';
import { openaiProvider } from '@/adapters/providers/openai/index.js';
import { readFences } from '@/blocks/models/prompt/fence.js';
import type { AgentOutput, LLMProvider, LLMRequest } from '@/index.js';
import {
  ChecklistGate,
  memoryChecklists,
  modelChecklist,
  planCompleteness,
} from '@/products/checklist-gate/index.js';
import { aimockService } from '../support/aimock-service.js';
import { checklistJudge } from '../support/checklist-judge.js';
import { expectCode } from '../support/matchers.js';

const apiKey = 'sk-a-key-of-the-test';

/** The services by the packages of their vendors, the protocols by aimock. */
const sdks: Readonly<Record<string, (url: string) => LLMProvider>> = {
  'openai, chat': (url) => openaiProvider({ model: 'gpt-5.5', baseURL: `${url}/v1`, apiKey }),
  'openai, responses': (url) =>
    openaiProvider({ model: 'gpt-5.5', baseURL: `${url}/v1`, apiKey, api: 'responses' }),
  anthropic: (url) => anthropicProvider({ model: 'claude-sonnet-5-5', baseURL: url, apiKey }),
};

const planOf = (more: string): AgentOutput => ({
  artifacts: [
    {
      type: 'document',
      path: 'plan.md',
      content: `# P\n## M1: Parser\nAcceptance criteria:\n- reads it\nCode intent:\n- add src/a.ts\n${more}`,
    },
  ],
});

const question = 'Does M1 say how it is rolled back?';
const judge = checklistJudge([
  { question: /rolled back/, missing: /git revert/, reason: 'nothing is said of going back' },
]);

/** A model that thinks of a rollback for each milestone that it is shown, names one scope that there is not, and verifies what it is asked about. */
async function answer(request: LLMRequest): Promise<string> {
  const scopes = request.messages
    .flatMap(({ content }) => readFences(content))
    .find(({ label }) => label === 'scopes');
  if (scopes === undefined) return (await judge.generate(request)).text;
  const [, token = ''] =
    /The token is (\w+)\./.exec(request.messages.map(({ content }) => content).join('\n')) ?? [];
  const items = scopes.text.split('\n').filter((scope) => scope.startsWith('milestone:'));
  return JSON.stringify({
    token,
    items: [...items, 'milestone:M9'].map((scope) => ({
      scope,
      check: question,
      severity: 'MUST',
    })),
  });
}

describe.each(Object.entries(sdks))(
  'a checklist of a model through the package of %s',
  (protocol, providerAt) => {
    const gateOf = (url: string) =>
      new ChecklistGate({
        phase: 'plan-structure',
        store: memoryChecklists(),
        provider: providerAt(url),
        request: 'a parser',
        decompose: [planCompleteness(), modelChecklist({ phase: 'plan-structure' })],
      });

    it('contains the items of the model, and the same model verifies them', async () => {
      const mock = await aimockService(answer);
      const gate = gateOf(mock.url);
      const { items } = await gate.decompose(planOf(''));
      expect(items.length).toBe(6);
      expect(items.at(-1)).toMatchObject({
        id: 'plan-structure-006',
        scope: 'milestone:M1',
        check: question,
        severity: 'MUST',
        status: 'TODO',
      });
      expect(mock.getRequests()).toHaveLength(1);
      const body = mock.getRequests()[0]?.body;
      expect(JSON.stringify(body)).toContain('request>>>\\na parser\\n<<<END');
      // of the other protocols the service keeps no schema
      if (protocol === 'openai, chat')
        expect(body).toMatchObject({
          response_format: {
            type: 'json_schema',
            json_schema: {
              name: 'checklist',
              strict: true,
              schema: { properties: { items: { type: 'array' } } },
            },
          },
        });
      expect(await gate.verify(planOf(''))).toMatchObject({
        status: 'FAIL',
        failed: [
          {
            id: 'plan-structure-006',
            finding: expect.stringContaining('nothing is said of going back'),
          },
        ],
      });
      expect(await gate.verify(planOf('Rollback:\n- git revert\n'))).toMatchObject({
        status: 'PASS',
        counts: { pass: 6, fail: 0, todo: 0 },
      });
    });

    it('is not created when the service fails or answers nonsense', async () => {
      const nonsense = await aimockService(async () => 'Looks complete to me. {"items": []}');
      const gate = gateOf(nonsense.url);
      await expectCode(gate.decompose(planOf('')), expect.stringMatching(/^answer_/));
      await expect(gate.state()).rejects.toMatchObject({ code: 'checklist_missing' });
      const broken = new LLMock({ port: 0 });
      await broken.start();
      onTestFinished(() => broken.stop());
      const failure = await gateOf(broken.url)
        .decompose(planOf(''))
        .catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: expect.stringMatching(/^provider_/) });
      expect(String(failure)).not.toContain(apiKey);
    });
  },
);
