import { expect, it } from 'vitest';
import { toWireSchema } from '../../../src/model/answer/wire-schema.js';
import {
  computeTimeout,
  GateAnswerSchema,
  parseResult,
  QualityGate,
  QualityGateError,
} from '../../../src/quality-gate/index.js';

it('allows 240 seconds, and 30 more for each file beyond five [JOBS-REQ-004.8.1, JOBS-REQ-004.8.2, JOBS-REQ-004.8.3]', () => {
  const table = { 0: 240, 1: 240, 5: 240, 6: 270, 7: 300, 10: 390, 20: 690, 25: 840, 100: 3090 };
  for (const [files, seconds] of Object.entries(table))
    expect(computeTimeout(Number(files))).toBe(seconds);
  expect(new QualityGate().computeTimeout(10, 1_000_000)).toBe(390);
});

it('allows large files more time only with sizeTimeout, up to a limit [D000-10]', () => {
  const gate = new QualityGate({ sizeTimeout: true });
  expect([
    gate.computeTimeout(1, 5000),
    gate.computeTimeout(1, 10_000),
    gate.computeTimeout(1, 100_000),
    gate.computeTimeout(20, 10_000),
  ]).toEqual([240, 270, 810, 690]);
  expect(
    new QualityGate({ sizeTimeout: true, maxTimeoutSeconds: 600 }).computeTimeout(1, 1_000_000),
  ).toBe(600);
});

it('asks for exactly the schema of DeepWork [JOBS-REQ-004.2.5, JOBS-REQ-004.2.6]', () => {
  expect(toWireSchema(GateAnswerSchema, 'full').schema).toEqual({
    type: 'object',
    required: ['passed', 'feedback'],
    properties: {
      passed: { type: 'boolean' },
      feedback: { type: 'string' },
      criteria_results: {
        type: 'array',
        items: {
          type: 'object',
          required: ['criterion', 'passed'],
          properties: {
            criterion: { type: 'string' },
            passed: { type: 'boolean' },
            feedback: { type: ['string', 'null'] },
          },
        },
      },
    },
  });
});

it('reads passed, feedback and criteria from a structured answer [JOBS-REQ-004.9.1]', () => {
  const data = {
    passed: true,
    feedback: 'good',
    criteria_results: [
      { criterion: 'A', passed: true, feedback: 'yes' },
      { criterion: 'B', passed: true },
    ],
    extra: 1,
  };
  expect(parseResult(data)).toEqual({
    ...{ passed: true, feedback: 'good', contradicted: [], reviewed: true },
    criteria_results: [
      { criterion: 'A', passed: true, feedback: 'yes' },
      { criterion: 'B', passed: true, feedback: null },
    ],
  });
  expect(new QualityGate().parseResult(data).passed).toBe(true);
});

it('fails closed for missing members [D000-05, JOBS-REQ-004.9.2, JOBS-REQ-004.9.3, JOBS-REQ-004.9.4]', () => {
  expect(parseResult({})).toMatchObject({
    passed: false,
    feedback: 'No feedback provided',
    criteria_results: [],
  });
  expect(parseResult({ passed: true })).toMatchObject({
    passed: true,
    feedback: 'No feedback provided',
  });
  expect(parseResult({ feedback: 'hm' })).toMatchObject({ passed: false, feedback: 'hm' });
  expect(parseResult({ passed: true, feedback: 'x', criteria_results: null })).toMatchObject({
    passed: true,
    criteria_results: [],
  });
});

it('refuses every malformed answer with its own error [D000-06, JOBS-REQ-004.9.5]', () => {
  const circular: Record<string, unknown> = { passed: 'yes' };
  circular['self'] = circular;
  const odd = [
    null,
    undefined,
    'passed',
    5,
    [],
    [{ passed: true }],
    { passed: 'yes' },
    { passed: null },
    { feedback: 5 },
    { feedback: null },
    { criteria_results: {} },
    { criteria_results: ['a'] },
    { criteria_results: [null] },
    circular,
  ];
  for (const data of [
    ...odd,
    { criteria_results: [{ criterion: 'A' }] },
    { criteria_results: [{ criterion: 1, passed: true }] },
    { criteria_results: [{ criterion: 'A', passed: 1 }] },
  ]) {
    expect(() => parseResult(data)).toThrow(QualityGateError);
    expect(() => parseResult(data)).toThrow(
      /Failed to interpret quality gate result: [\s\S]*\nData was: /,
    );
  }
});

it('never passes beside a failed criterion [D000-07]', () => {
  const result = parseResult({
    passed: true,
    feedback: 'fine',
    criteria_results: [{ criterion: 'A', passed: false, feedback: 'no' }],
  });
  expect(result).toMatchObject({ passed: false, contradicted: ['A'] });
  expect(
    parseResult({
      passed: false,
      feedback: 'x',
      criteria_results: [{ criterion: 'A', passed: true }],
    }),
  ).toMatchObject({ passed: false, contradicted: [] });
});
