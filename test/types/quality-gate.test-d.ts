import { expectTypeOf, it } from 'vitest';
import { deepworkCli } from '@/adapters/providers/cli/deepwork-cli.js';
import type { LLMProvider } from '@/index.js';
import {
  type FinishedStep,
  GateSession,
  type GateState,
  QualityGate,
  type QualityGateError,
  type ReviewResult,
} from '@/products/quality-gate/index.js';

it('types of the gate', () => {
  const gate = new QualityGate({ cli: deepworkCli(), maxInlineFiles: 3 });
  expectTypeOf(
    gate.evaluateReviews({ reviews: [], outputs: { a: 'x', b: ['y'] } }),
  ).resolves.toEqualTypeOf<readonly ReviewResult[]>();
  expectTypeOf(gate.computeTimeout(3)).toEqualTypeOf<number>();
  expectTypeOf(deepworkCli()).toEqualTypeOf<(timeoutMs: number, folder?: string) => LLMProvider>();
  expectTypeOf<QualityGateError>().toExtend<Error>();
  // @ts-expect-error the cli is a function of the time
  new QualityGate({ cli: deepworkCli()(1000) });
  // @ts-expect-error outputs are paths or texts
  void gate.buildPayload({ outputs: { a: 5 } });
});

it('types of a session', () => {
  const session = new GateSession({
    gate: new QualityGate(),
    job: { name: 'j', steps: [{ id: 's', outputs: { a: 'file' } }] },
  });
  expectTypeOf(
    session.finishedStep({ stepId: 's', outputs: {} }),
  ).resolves.toEqualTypeOf<FinishedStep>();
  expectTypeOf(session.reviewStatus()).resolves.toEqualTypeOf<GateState>();
  // @ts-expect-error a verdict names its hash and token
  void session.submitVerdict({ stepId: 's', reviewer: 'r', result: {} });
});
