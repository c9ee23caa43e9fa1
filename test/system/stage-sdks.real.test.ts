import { LLMock } from '@copilotkit/aimock';
import { describe, expect, it, onTestFinished } from 'vitest';
import { anthropicProvider } from '@/adapters/providers/anthropic/index.js';
import { openaiProvider } from '@/adapters/providers/openai/index.js';
import type { LLMProvider } from '@/core/llm-provider.js';
import { gitDiff } from '@/node/git/git-diff.js';
import { gitFiles } from '@/node/git/git-files.js';
import type { CompletedWork } from '@/products/reviewer-stage/completed-work.js';
import { ReviewerStage } from '@/products/reviewer-stage/reviewer-stage.js';
import { workFromDiff } from '@/products/reviewer-stage/work-from-diff.js';
import { aimockService } from '../support/aimock-service.js';
import { checklistJudge } from '../support/checklist-judge.js';
import { faults, goodCode, poorCode, repositoryWith } from './stage-repository.js';

const apiKey = 'sk-a-key-of-the-test';

/** The services by the packages of their vendors; the protocols are aimock's, the answers those of a judge that reads. */
const sdks: Readonly<Record<string, (url: string) => LLMProvider>> = {
  'openai, chat': (url) => openaiProvider({ model: 'gpt-5.5', baseURL: `${url}/v1`, apiKey }),
  'openai, responses': (url) =>
    openaiProvider({ model: 'gpt-5.5', baseURL: `${url}/v1`, apiKey, api: 'responses' }),
  anthropic: (url) => anthropicProvider({ model: 'claude-sonnet-5-5', baseURL: url, apiKey }),
};

async function workOf(code: string): Promise<CompletedWork> {
  const { cwd } = repositoryWith(code);
  const diff = await gitDiff({ cwd }).diff({ kind: 'working-tree' });
  return workFromDiff(diff, {
    sessionId: 's',
    request: 'Add email validation. Null is no address.',
    files: gitFiles(diff, { cwd }),
  });
}

describe.each(Object.entries(sdks))('the stage through the package of %s', (_, providerAt) => {
  it('approves good work, and rejects poor work for its faults [NFR-007, NFR-008, RV-105, RV-106]', async () => {
    const judge = checklistJudge(faults);
    const mock = await aimockService(async (request) => (await judge.generate(request)).text);
    const stage = new ReviewerStage({ provider: providerAt(mock.url) });
    const approved = await stage.review(await workOf(goodCode));
    expect(approved).toMatchObject({
      decision: 'APPROVED',
      outcome: 'completed',
      exitCode: 0,
      code: undefined,
    });
    expect(mock.getRequests()).toHaveLength(5);
    const rejected = await stage.review(await workOf(poorCode));
    expect(rejected).toMatchObject({ decision: 'REJECTED', outcome: 'rejected', exitCode: 50 });
    expect(rejected.feedback?.issues.map(({ message, where }) => [message, where])).toEqual(
      expect.arrayContaining([
        ['Missing error handling for null input', 'src/email.js:1'],
        ['No documentation on public methods', 'src/email.js:1'],
      ]),
    );
  });

  it('approves nothing where the service fails or talks nonsense', async () => {
    const work = await workOf(goodCode);
    const nonsense = await aimockService(
      async () => 'Looks good to me. APPROVED, {"passed": true}',
    );
    expect(
      await new ReviewerStage({ provider: providerAt(nonsense.url) }).review(work),
    ).toMatchObject({
      decision: 'INCONCLUSIVE',
      outcome: 'escalated',
      code: 'ACODE-REVIEW-002',
      exitCode: 50,
    });
    const broken = new LLMock({ port: 0 });
    await broken.start();
    onTestFinished(() => broken.stop());
    const result = await new ReviewerStage({ provider: providerAt(broken.url), retries: 0 }).review(
      work,
    );
    expect(result).toMatchObject({
      decision: 'INCONCLUSIVE',
      outcome: 'escalated',
      code: 'ACODE-REVIEW-002',
    });
    expect(JSON.stringify(result)).not.toContain(apiKey);
  });
});
