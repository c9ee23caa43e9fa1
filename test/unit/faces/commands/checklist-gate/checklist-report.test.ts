import { describe, expect, it } from 'vitest';
import {
  checklistError,
  checklistReport,
  entityResult,
  type VerifiedChecklist,
} from '@/faces/commands/checklist-gate/checklist-report.js';
import { type ChecklistGate, memoryChecklists } from '@/products/checklist-gate/index.js';
import { gateOf, work } from '../../../products/checklist-gate/support.js';

/** A gate with a MUST, a SHOULD and a MAY, verified with these answers. */
async function verified(
  answers: readonly unknown[],
  { iterations = 1, ...more }: Partial<VerifiedChecklist> & { readonly iterations?: number } = {},
) {
  const store = memoryChecklists();
  const gate: ChecklistGate = gateOf({
    store,
    decompose: () => [
      { scope: '*', check: 'The whole is fine.' },
      { scope: 'file:a.ts:3-5', check: 'The lines are fine.', severity: 'SHOULD' },
      { scope: 'file:a.ts', check: 'The file is pretty.', severity: 'MAY' },
    ],
    verify: ({ id }) => {
      const answer = answers[Number(id.slice(-1)) - 1];
      if (answer instanceof Error) throw answer;
      return answer as never;
    },
  });
  const lines = work('1\n2\n3\n4\n5');
  await gate.decompose(lines);
  await gate.verify(lines);
  for (let done = 1; done < iterations; done += 1) {
    await gate.fixesApplied();
    await gate.verify(lines);
  }
  const verification = await gate.verify(lines);
  return checklistReport({
    ...{ verification, state: await gate.state(), files: ['a.ts'], exitCode: 50 },
    ...{ began: Date.parse('2026-11-22T10:00:00Z'), now: Date.parse('2026-11-22T10:00:02Z') },
    ...more,
  });
}

describe('the report of a verified checklist', () => {
  it('names the phase, the iteration, the files, the time and each question', async () => {
    const report = await verified([true, true, true], { exitCode: 0 });
    expect(report).toMatchObject({
      runId: 'checklist-plan-structure-1',
      pipeline: 'checklist-gate plan-structure',
      ...{ status: 'approved', approved: true, code: 'checklist_pass', exitCode: 0 },
      reason: '3 of 3 items passed, 0 block, 0 have no result',
      ...{ at: '2026-11-22T10:00:00.000Z', durationMs: 2000 },
      ...{ task: { source: 'checklist plan-structure' }, files: [{ path: 'a.ts' }], gaps: [] },
    });
    expect(report.criteria.names).toEqual({
      'plan-structure-001': 'The whole is fine.',
      'plan-structure-002': 'The lines are fine.',
      'plan-structure-003': 'The file is pretty.',
    });
    expect(report.reviews[0]?.assessments).toMatchObject([
      { criterion: 'plan-structure-001', verdict: 'pass', score: 1, text: 'The whole is fine.' },
      { criterion: 'plan-structure-002', verdict: 'pass' },
      { criterion: 'plan-structure-003', verdict: 'pass' },
    ]);
    // a clock that was set back
    expect((await verified([true, true, true], { now: 0 })).durationMs).toBe(0);
  });

  it('has a gap with its place for each item that failed, and for no other', async () => {
    const report = await verified(['no', 'long', true]);
    expect(report).toMatchObject({
      ...{ status: 'exhausted', approved: false, code: 'checklist_fail' },
      reason: '1 of 3 items passed, 2 block, 0 have no result',
    });
    expect(report.gaps).toMatchObject([
      { criterionId: 'plan-structure-001', severity: 'critical', description: 'no' },
      {
        ...{ criterionId: 'plan-structure-002', severity: 'major', description: 'long' },
        location: { file: 'a.ts', line: 3, endLine: 5 },
      },
    ]);
    expect(report.gaps[0]).not.toHaveProperty('location');
    expect(report.reviews[0]?.assessments).toMatchObject([
      { verdict: 'fail', score: 0, text: 'no' },
      { verdict: 'fail', text: 'long' },
      { verdict: 'pass' },
    ]);
  });

  it('is inconclusive while an item that blocks has no result, and keeps errors', async () => {
    const report = await verified([new Error('no connection'), true, true]);
    expect(report).toMatchObject({ status: 'inconclusive', code: 'checklist_fail' });
    expect(report.reviews[0]).toMatchObject({
      complete: false,
      assessments: [{ verdict: 'errored' }, { verdict: 'pass' }, { verdict: 'pass' }],
    });
    expect(report.failures).toMatchObject([{ criterion: 'plan-structure-001' }]);
  });

  it('leaves items without a result undecided and mandatory, whatever blocks', async () => {
    const undecided = { skipped: 'no data' };
    const open = await verified([undecided, true, undecided]);
    expect(open.undecided).toMatchObject([
      {
        ...{ criterion: 'plan-structure-001', text: expect.stringContaining('no data') as unknown },
        ...{ question: 'The whole is fine.', decidableBy: ['model', 'person'] },
      },
      { criterion: 'plan-structure-003' },
    ]);
    expect(open.undecided.map(({ mandatory }) => mandatory)).toEqual([undefined, undefined]);
    const late = await verified([true, 'long', undecided], { iterations: 5 });
    expect(late).toMatchObject({ status: 'inconclusive', undecided: [{ verdict: 'undecided' }] });
    expect(late.undecided[0]).not.toHaveProperty('mandatory');
  });

  it('is escalated after the last iteration', async () => {
    const report = await verified(['no', true, true], { iterations: 5 });
    expect(report).toMatchObject({ runId: 'checklist-plan-structure-5', status: 'escalated' });
  });
});

it('an answer in XML escapes what its reader would take for a tag', () => {
  expect(checklistError('a < b && b > "c"')).toBe(
    '<qr_cli_error>\n  <message>a &lt; b &amp;&amp; b &gt; "c"</message>\n</qr_cli_error>',
  );
  expect(entityResult({ id: '<&>', version: 2 }, 'update')).toBe(
    '<entity_result>\n  <id>&lt;&amp;&gt;</id>\n  <version>2</version>\n  <operation>update</operation>\n</entity_result>',
  );
});
