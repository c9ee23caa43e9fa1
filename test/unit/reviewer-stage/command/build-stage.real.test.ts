import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  buildStage,
  lacksModel,
  loadReviewer,
  verifyCommands,
} from '../../../../src/reviewer-stage/command/build-stage.js';
import type { ConfiguredReviewer } from '../../../../src/reviewer-stage/config.js';
import { checklistJudge } from '../../../support/checklist-judge.js';
import { streams } from '../../../support/command-streams.js';
import { folderOf } from '../../cli/harness.js';
import { good, needsWork, saying } from '../support.js';
import { requestOf, storedPlace, workWith } from './stored-place.js';

const off = {
  ...{ intent_alignment: false, code_quality: false, completeness: false, consistency: false },
  safety: false,
};
const own = (answer: Parameters<typeof saying>[1]): ConfiguredReviewer => ({
  dimensions: { ...off, own: saying('own', answer) },
});

/** Builds the stage of a request, and reviews work that adds a file. */
async function built(
  config: ConfiguredReviewer,
  more: Partial<Parameters<typeof buildStage>[1]> = {},
) {
  const place = await storedPlace();
  const request = requestOf(place);
  const { io } = streams(place.cwd);
  const said: string[] = [];
  const stage = await buildStage(io, {
    ...{ request, config, provider: undefined, store: place.store, allowedSecrets: [] },
    say: async (lines) => void said.push(...lines),
    ...more,
  });
  const review = () =>
    stage.review(workWith(request, 'export const a = 1;\n'), { runId: request.runId });
  return { place, stage, said, review };
}
const outcomeOf = async (...args: Parameters<typeof built>) =>
  (await (await built(...args)).review()).outcome;

describe('the stage of a configuration', () => {
  it('ends in its time', async () => {
    const never = () => new Promise<typeof good>(() => {});
    expect(await outcomeOf({ ...own(never), timeoutSeconds: 0.05 })).toBe('timed_out');
  });

  it('asks its planner, as often as it may', async () => {
    const low = own(needsWork);
    expect(await outcomeOf(low)).toBe('rejected');
    const failing = await built({ ...low, replan: 'exit 3' });
    expect((await failing.review()).outcome).toBe('failed');
    expect(failing.said.join('\n')).toContain('Cycling to Planner');
    expect(await outcomeOf({ ...low, replan: 'exit 3', maxCycles: 0 })).toBe('escalated');
  });

  it('goes back to the planner after a person declined, unless it is to stop', async () => {
    const declined = async (more: ConfiguredReviewer) => {
      const { stage, review } = await built({
        ...own(good),
        ...{ humanReview: 'require', replan: 'exit 3' },
        ...more,
      });
      const { run } = await review();
      if (run.status !== 'suspended') throw new Error(run.status);
      return (await stage.answer(run.requests[0], { kind: 'reject', by: 'Ada' })).outcome;
    };
    expect(await declined({})).toBe('failed');
    expect(await declined({ onDecline: 'stop' })).toBe('declined');
  });

  it('asks the model that is given, and then leaves nothing to code alone', async () => {
    const config = { dimensions: { ...off, safety: true } };
    const provider = checklistJudge([]);
    const asked = await (await built(config, { provider })).review();
    expect(asked.decision).toBe('APPROVED');
    expect(provider.requests).toHaveLength(1);
    expect(asked.run.review?.assessments.map(({ criterion }) => criterion)).not.toContain(
      'changes',
    );
    const open = await (await built(config)).review();
    expect(open.run.review?.assessments.map(({ criterion }) => criterion)).toContain('changes');
    expect([lacksModel({ config, provider }), lacksModel({ config, provider: undefined })]).toEqual(
      [...[false, true]],
    );
    expect(lacksModel({ config: own(good), provider: undefined })).toBe(false);
  });

  it('stores lessons where it may learn', async () => {
    for (const learn of [true, undefined]) {
      const { place, review } = await built(own(needsWork), { learn });
      await review();
      expect(existsSync(join(place.store, 'lessons.jsonl'))).toBe(learn === true);
    }
  });
});

it('the commands that verify are those of the configuration, then those of the request', async () => {
  const request = requestOf(await storedPlace(), { verify: ['three'] });
  expect(verifyCommands({ verify: ['one', ['two', 'x']] }, request)).toEqual([
    ...['one', ['two', 'x'], 'three'],
  ]);
  expect(verifyCommands({}, request)).toEqual(['three']);
});

describe('the configuration of a review', () => {
  it('is none where none shall be read, or none is there', async () => {
    const none = { config: {}, file: false, provider: undefined };
    const cwd = await folderOf();
    expect(await loadReviewer(cwd, false)).toEqual({ ...none, secrets: { entries: [] } });
    expect(await loadReviewer(cwd, undefined)).toMatchObject(none);
  });

  it('names the model of its section, or else that of the whole', async () => {
    const reviewer = "provider: { id: 'own', generate: async () => ({}) }";
    const load = async (text: string) =>
      loadReviewer(
        await folderOf({ 'reviewloop.config.mjs': `export default { ${text} };` }),
        undefined,
      );
    expect(
      await load(`provider: 'openai:m', learn: true, reviewer: { ${reviewer} }`),
    ).toMatchObject({
      ...{ provider: { id: 'own' }, learn: true, file: expect.stringContaining('mjs') as string },
    });
    expect(await load("provider: 'openai:m', reviewer: { max_cycles: 1 }")).toMatchObject({
      ...{ provider: { name: 'openai:m' }, config: { maxCycles: 1 }, learn: false },
    });
  });
});
