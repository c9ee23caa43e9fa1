import { describe, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import { askModel, type ModelAnswer } from '@/blocks/models/index.js';
import {
  type AgentOutput,
  addressWithModel,
  type Criterion,
  definePipeline,
  type LLMProvider,
  llmCriteria,
  llmCriterion,
  type Pipeline,
  SelfReviewLoop,
} from '@/index.js';

declare const provider: LLMProvider;

describe('blocks that ask a model', () => {
  it('answers have the type of their schema', () => {
    const asked = askModel({
      provider,
      prompt: '?',
      schema: z.object({ n: z.string().transform(Number), note: z.string().optional() }),
    });
    expectTypeOf(asked).resolves.toEqualTypeOf<
      ModelAnswer<{ n: number; note?: string | undefined }>
    >();
    // @ts-expect-error a provider is needed
    void askModel({ prompt: '?', schema: z.string() });
  });

  it('criteria stand in pipelines and in classes, and their scope sees the output', () => {
    expectTypeOf(
      llmCriterion<string>({ id: 'a', question: 'a?', scope: (text) => text.length }),
    ).toEqualTypeOf<Criterion<string, unknown>>();
    const pipeline = definePipeline({
      produce: async (topic: string) => topic,
      reviewers: [
        llmCriterion({ id: 'a', question: 'a?' }),
        ...llmCriteria([{ id: 'b', checklist: ['b?'] }]),
      ],
      address: addressWithModel(),
      provider,
    });
    expectTypeOf(pipeline).toEqualTypeOf<Pipeline<string, string>>();
    expectTypeOf(
      new SelfReviewLoop<AgentOutput, string>(
        [llmCriterion({ id: 'a', question: 'a?' })],
        {},
        { provider },
      ),
    ).not.toBeAny();
    // @ts-expect-error either a question or a checklist
    llmCriterion({ id: 'a' });
    // @ts-expect-error not both
    llmCriterion({ id: 'a', question: 'a?', checklist: ['b?'] });
    // @ts-expect-error a checklist is not empty
    llmCriterion({ id: 'a', checklist: [] });
  });
});
