import { criterion, definePipeline, llmCriterion, type Policy } from 'reviewloop';
import { type Calibration, calibrate, requireCalibration } from 'reviewloop/calibration';
import { expectTypeOf, test } from 'vitest';
import { cohensKappa } from '@/products/calibration/confusion.js';

test('a judge takes examples of its own kind', () => {
  const judge = criterion('long', (text: string) => text.length > 3);
  expectTypeOf(
    calibrate(judge, [{ task: 'x', output: 'text', label: 'pass' }]),
  ).resolves.toEqualTypeOf<Calibration>();
  void calibrate(
    (output: { text: string }, task: number) => output.text.length > task,
    [{ task: 3, output: { text: 'x' }, label: 'fail' }],
  );
  // @ts-expect-error the output is a text
  void calibrate(judge, [{ task: 'x', output: 3, label: 'pass' }]);
  // @ts-expect-error a label is 'pass' or 'fail'
  void calibrate(judge, [{ task: 'x', output: 'text', label: 'good' }]);
  // @ts-expect-error there is no such option
  void calibrate(judge, [], { times: 2 });
});

test('a policy takes the result of calibrate, and a pipeline takes the policy', async () => {
  const judge = llmCriterion<string, string>({ id: 'good', question: 'Is it good?' });
  const calibrations = [await calibrate(judge, [{ task: 'x', output: 'text', label: 'pass' }])];
  const policy = requireCalibration({ calibrations, minTnr: 0.8 });
  expectTypeOf(policy).toEqualTypeOf<Policy>();
  definePipeline({ produce: async (task: string) => task, reviewers: [judge], policy });
  // @ts-expect-error calibrations are needed
  requireCalibration({ minTnr: 0.8 });
});

test('statistics', () => {
  expectTypeOf(cohensKappa(['a'], ['b'])).toEqualTypeOf<number | undefined>();
});
