import { describe, expect, it } from 'vitest';
import { deepworkCli } from '@/adapters/providers/cli/deepwork-cli.js';
import { toWireSchema } from '@/blocks/models/answer/wire-schema.js';
import { readFences } from '@/blocks/models/prompt/fence.js';
import { limiter, memoryVerdicts } from '@/index.js';
import { GateAnswerSchema } from '@/products/quality-gate/gate-result.js';
import {
  QualityGate,
  QualityGateError,
  type QualityGateOptions,
} from '@/products/quality-gate/index.js';
import { scriptedProvider } from '@/testing/index.js';
import { fakeClaude } from '../../../support/fake-claude.js';
import { gateFolder } from '../../../support/gate-folder.js';
import { answerOf } from './support.js';

const qualityCriteria = { Complete: 'Is everything there?' };
const review = (run_each = 'step', more: object = {}) => ({
  run_each,
  quality_criteria: qualityCriteria,
  ...more,
});
const gateWith = (root: string, executable: string, more: QualityGateOptions = {}): QualityGate =>
  new QualityGate({
    root,
    cli: deepworkCli({ executable, cwd: root, killAfterMs: 50, retries: 1 }),
    ...more,
  });
const answering = (answer: (prompt: string) => object) =>
  scriptedProvider(({ messages }) => JSON.stringify(answer(messages[0]?.content ?? '')));
const pass = answerOf(true);
const one = { qualityCriteria, outputs: { a: 'a.md' } };
/** Evaluates one file with a program. */
const evaluated = (executable: string, more: QualityGateOptions = {}) =>
  gateWith(gateFolder({ 'a.md': 'x' }), executable, more).evaluate(one);

const criterionResult = {
  type: 'object',
  properties: {
    criterion: { type: 'string' },
    passed: { type: 'boolean' },
    feedback: { type: ['string', 'null'] },
  },
  required: ['criterion', 'passed'],
};
const schemaOfTheSeed = {
  type: 'object',
  properties: {
    passed: { type: 'boolean' },
    feedback: { type: 'string' },
    criteria_results: { type: 'array', items: criterionResult },
  },
  required: ['passed', 'feedback'],
};

describe('the external reviewer', () => {
  it('asks for exactly the schema of DeepWork [JOBS-REQ-004.2.5, JOBS-REQ-004.2.6]', () => {
    expect(toWireSchema(GateAnswerSchema, 'full').schema).toEqual(schemaOfTheSeed);
  });

  it('is claude with the arguments of DeepWork, criteria and notes in the system prompt, files on standard input [JOBS-REQ-004.1.1, JOBS-REQ-004.2.1, JOBS-REQ-004.2.2, JOBS-REQ-004.2.3, JOBS-REQ-004.2.4, DW-OV-01]', async () => {
    const root = gateFolder({ 'report.md': 'FORCE_PASS' });
    const claude = fakeClaude();
    const input = {
      qualityCriteria,
      outputs: { report: 'report.md' },
      notes: 'in a hurry',
      additionalReviewGuidance: 'Compare with the plan.',
    };
    expect(await gateWith(root, claude.executable).evaluate(input)).toEqual({
      ...{ passed: true, feedback: 'All criteria met', contradicted: [], reviewed: true },
      unanswered: [],
      criteria_results: [{ criterion: 'Complete', passed: true, feedback: null }],
    });
    const [call] = claude.calls();
    const fixed = call?.args.filter((_, index) => index !== 4 && index !== 6).join(' ');
    expect(fixed).toBe('--print --output-format json --system-prompt --json-schema -p --');
    // it reads copies that nobody else writes
    expect(call?.cwd).not.toBe(root);
    expect(JSON.parse(call?.args[6] ?? '')).toEqual(schemaOfTheSeed);
    const system = call?.args[4] ?? '';
    for (const part of [
      ...['**Complete**: Is everything there?', '## Author Notes', 'in a hurry'],
      ...['## Additional Context', 'Compare with the plan.', '"passed"', '"feedback"'],
    ])
      expect(system).toContain(part);
    expect(system).toMatch(/editor/i);
    const line = '-'.repeat(20);
    expect(call?.input).toContain(`${line} report.md ${line}\nFORCE_PASS`);
  });

  it('receives the contents of files on standard input, or their paths where there are many [JOBS-REQ-004.2.3, R2-122]', async () => {
    const names = Array.from({ length: 6 }, (_, index) => `f${index}.md`);
    const root = gateFolder(Object.fromEntries(names.map((name) => [name, `text of ${name}`])));
    const claude = fakeClaude('pass');
    const gate = gateWith(root, claude.executable);
    await gate.evaluate({ qualityCriteria, outputs: { pages: names } });
    await gate.evaluate({ qualityCriteria, outputs: { pages: names.slice(1) } });
    const [listed = '', inlined = ''] = claude.calls().map(({ input }) => input);
    expect(listed).toContain('[6 files \u2014 too many to include inline.');
    for (const name of names) expect(listed).toContain(`/${name}  (output: pages)`);
    expect(listed).not.toContain('text of');
    for (const name of names.slice(1)) expect(inlined).toContain(`text of ${name}`);
  });

  it('receives a role, criteria as bold names with questions, and the two rules of the verdict [JOBS-REQ-004.10.1, JOBS-REQ-004.10.2, JOBS-REQ-004.10.3, JOBS-REQ-004.10.4, JOBS-REQ-004.10.5, JOBS-REQ-004.10.6]', async () => {
    const root = gateFolder({ 'a.md': 'x' });
    const provider = answering(() => pass);
    const gate = new QualityGate({ root, provider, everyCriterion: false });
    await gate.evaluate({
      qualityCriteria: { A: 'Is it a?', B: 'Is it b?' },
      outputs: { a: 'a.md' },
      notes: 'n',
      additionalReviewGuidance: 'g',
    });
    await gate.evaluate({ qualityCriteria, outputs: { a: 'a.md' } });
    const [full = '', bare = ''] = provider.requests.map(({ system }) => system);
    expect(full).toMatch(/^You are an editor/);
    expect(full).toContain('## Criteria to Evaluate\n\n- **A**: Is it a?\n- **B**: Is it b?\n');
    expect(full).toMatch(/## Author Notes\n[\s\S]*\nn\n/);
    expect(full).toContain('## Additional Context\n\ng\n');
    expect(full).toContain('## Response Format');
    expect(full).toMatch(/passes only if ALL criteria pass/);
    expect(full).toMatch(/does not apply to the purpose of this step passes/);
    expect(bare).not.toMatch(/Author Notes|Additional Context/);
  });

  it('gets notes in the system prompt and in the payload, as DeepWork has it [D000-04]', async () => {
    const provider = answering(() => pass);
    await new QualityGate({ root: gateFolder({ 'a.md': 'x' }), provider }).evaluate({
      qualityCriteria,
      outputs: { a: 'a.md' },
      notes: 'twice',
    });
    const { system = '', messages } = provider.requests[0] ?? { messages: [] };
    expect(system).toContain('\ntwice\n');
    const line = '='.repeat(20);
    expect(messages[0]?.content).toContain(`${line} AUTHOR NOTES ${line}\n\ntwice`);
  });

  const broken = [
    ['malformed', /Failed to parse Claude CLI response as JSON/],
    ['empty', /Failed to parse Claude CLI response as JSON/],
    ['list', /Failed to parse Claude CLI response as JSON/],
    ['error', /Claude CLI failed with exit code 1:\nstderr: [\s\S]*it broke/],
    ['api-error', /Claude CLI returned error: [\s\S]*overloaded/],
    ['unstructured', /missing 'structured_output'/],
    ['nothing', /missing 'structured_output'/],
    ['odd', /criteria_results/],
  ] as const;
  it('causes an error in the words of DeepWork when it fails [D000-06, JOBS-REQ-004.6.4]', async () => {
    for (const [mode, message] of broken) {
      const error: unknown = await evaluated(fakeClaude(mode).executable, { retries: 0 }).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error, mode).toBeInstanceOf(QualityGateError);
      expect(String(error), mode).toMatch(message);
    }
    await expect(evaluated('/nowhere/claude')).rejects.toThrow(
      'Claude CLI command not found: /nowhere/claude',
    );
  });

  it('is stopped after its time limit, and not asked again [JOBS-REQ-004.6.3]', async () => {
    const claude = fakeClaude('timeout');
    await expect(evaluated(claude.executable, { maxTimeoutSeconds: 5 })).rejects.toThrow(
      'Claude CLI timed out after 5 seconds',
    );
    expect(claude.calls()).toHaveLength(1);
  });

  it('gets a payload and time by the number of files, and its answer is read [JOBS-REQ-004.6.3, DW-OV-03, R2-127]', async () => {
    const given: number[] = [];
    const many = Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [`f${index}.md`, 'x']),
    );
    const provider = answering((prompt) => ({
      ...pass,
      feedback: /-{20} a\.md -{20}\nalpha/.test(prompt) ? 'saw alpha' : 'saw nothing',
    }));
    const cli = (timeoutMs: number) => {
      given.push(timeoutMs);
      return provider;
    };
    const gate = new QualityGate({ root: gateFolder({ ...many, 'a.md': 'alpha' }), cli });
    expect(await gate.evaluate(one)).toMatchObject({
      passed: true,
      feedback: 'saw alpha',
      criteria_results: [{ criterion: 'Complete', passed: true, feedback: null }],
    });
    await gate.evaluate({ qualityCriteria, outputs: { a: Object.keys(many) } });
    expect(given).toEqual([4 * 60_000, 390_000]);
  });

  it('is asked again after an empty answer, and then reported', async () => {
    for (const modes of ['empty,pass', 'nothing,pass']) {
      const recovered = fakeClaude(modes);
      expect(await evaluated(recovered.executable)).toMatchObject({ passed: true });
      expect(recovered.calls()).toHaveLength(2);
    }
    const silent = fakeClaude('empty');
    await expect(evaluated(silent.executable)).rejects.toBeInstanceOf(QualityGateError);
    expect(silent.calls().length).toBeGreaterThan(1);
  });

  it('may omit the feedback twice [D000-05]', async () => {
    const result = await evaluated(fakeClaude('bare').executable, { everyCriterion: false });
    expect(result).toMatchObject({ passed: true, feedback: 'No feedback provided' });
  });
});

describe('a gate without a reviewer', () => {
  const gate = new QualityGate({ root: import.meta.dirname });

  it('passes without criteria, before it looks for a reviewer [D000-01, JOBS-REQ-004.6.1]', async () => {
    expect(await gate.evaluate({ qualityCriteria: {}, outputs: {} })).toEqual({
      passed: true,
      feedback: 'No quality criteria defined - auto-passing',
      criteria_results: [],
      contradicted: [],
      reviewed: false,
      unanswered: [],
    });
    const report = await gate.review({
      reviews: [review('step', { quality_criteria: {} })],
      outputs: {},
    });
    const results = [{ reviewed: false }];
    const accepted = { outcome: 'accepted', passed: true, review: undefined, results };
    expect(report).toMatchObject(accepted);
  });

  it('cannot evaluate [JOBS-REQ-004.1.6, JOBS-REQ-004.6.2]', async () => {
    const evaluating = gate.evaluate({ qualityCriteria, outputs: {} });
    await expect(evaluating).rejects.toThrow(/Cannot evaluate.*without a CLI runner/);
    await expect(evaluating).rejects.toBeInstanceOf(QualityGateError);
    await expect(gate.evaluateReviews({ reviews: [review()], outputs: {} })).rejects.toMatchObject({
      name: 'QualityGateError',
      code: 'gate_no_runner',
    });
  });
});

describe('the reviews of a step', () => {
  const files = { 'a.md': 'FORCE_PASS', 'b.md': 'FORCE_FAIL', 'report.md': 'FORCE_PASS' };
  const outputs = { pages: ['a.md', 'b.md'], report: 'report.md' };

  it('are one evaluation for the step, one for each file of a list, and one for a file; only failures come back [JOBS-REQ-004.7.1, JOBS-REQ-004.7.3, JOBS-REQ-004.7.4, JOBS-REQ-004.7.5, JOBS-REQ-004.7.7, DW-OV-02]', async () => {
    const claude = fakeClaude();
    const gate = gateWith(gateFolder(files), claude.executable);
    const reviews = [review('pages'), review('report')];
    const failures = await gate.evaluateReviews({ reviews, outputs });
    expect(claude.calls()).toHaveLength(3);
    expect(failures).toEqual([
      expect.objectContaining({
        review_run_each: 'pages',
        target_file: 'b.md',
        passed: false,
        feedback: 'Not complete',
        criteria_results: [{ criterion: 'Complete', passed: false, feedback: 'no conclusion' }],
      }),
    ]);
    const step = fakeClaude('pass');
    const stepGate = gateWith(gateFolder(files), step.executable);
    expect(await stepGate.evaluateReviews({ reviews: [review()], outputs })).toEqual([]);
    expect(step.calls()).toHaveLength(1);
    expect(step.calls()[0]?.input).toMatch(/a\.md[\s\S]*b\.md[\s\S]*report\.md/);
  });

  it('are all made, however many there are, in their order [JOBS-REQ-004.7.1, R2-127]', async () => {
    const names = Array.from({ length: 7 }, (_, index) => `f${index}.md`);
    const all = Object.fromEntries(names.map((name) => [`out${name[1]}`, name]));
    const provider = answering((prompt) => ({ ...pass, passed: !/FAIL/.test(prompt) }));
    const root = gateFolder(
      Object.fromEntries(names.map((name, index) => [name, index % 2 === 0 ? 'FAIL' : 'fine'])),
    );
    const reviews = [...Object.keys(all).map((name) => review(name)), review('step')];
    const gate = new QualityGate({ root, provider, maxInlineFiles: 9 });
    const failures = await gate.evaluateReviews({ reviews, outputs: all });
    expect(provider.requests).toHaveLength(8);
    const failed = failures.map(({ review_run_each: name }) => name);
    expect(failed).toEqual(['out0', 'out2', 'out4', 'out6', 'step']);
  });

  it('are accepted without criteria, and the report says so [D000-16, JOBS-REQ-004.7.2]', async () => {
    const gate = gateWith(gateFolder(files), fakeClaude('pass').executable);
    expect(await gate.evaluateReviews({ reviews: [], outputs })).toEqual([]);
    expect(await gate.review({ reviews: [], outputs })).toMatchObject({
      outcome: 'accepted',
      results: [],
      review: undefined,
    });
    expect(await gate.review({ reviews: [review()], outputs })).toMatchObject({
      outcome: 'approved',
      passed: true,
      results: [{ passed: true, reviewed: true }],
    });
  });

  it('get the guidance of each [JOBS-REQ-004.7.8]', async () => {
    const provider = answering(() => pass);
    await new QualityGate({ root: gateFolder(files), provider }).evaluateReviews({
      reviews: [
        review('pages', { additional_review_guidance: 'G1' }),
        review('report', { additional_review_guidance: 'G2' }),
      ],
      outputs,
    });
    const guidance = provider.requests.map(
      ({ system }) => /Additional Context\n\n(G\d)/.exec(system ?? '')?.[1] ?? '',
    );
    expect(guidance.sort((a, b) => a.localeCompare(b))).toEqual(['G1', 'G1', 'G2']);
  });

  it('run side by side, as many as the shared limit allows [D000-09, JOBS-REQ-004.7.6]', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`f${index}.md`, 'x']),
    );
    for (const concurrency of [4, 12]) {
      let out = 0;
      let most = 0;
      const provider = {
        ...scriptedProvider(() => ''),
        generate: async () => {
          most = Math.max(most, ++out);
          await new Promise((resolve) => setTimeout(resolve, 20));
          out -= 1;
          const text = JSON.stringify(pass);
          const told = { usage: {}, model: 'm', warnings: [], attempts: 1 };
          return { text, finish: 'stop' as const, ...told };
        },
      };
      const shared = limiter({ concurrency });
      const gate = new QualityGate({ root: gateFolder(many), provider, limiter: shared });
      const given = { reviews: [review('pages')], outputs: { pages: Object.keys(many) } };
      expect(await gate.evaluateReviews(given)).toEqual([]);
      expect(most).toBe(concurrency);
    }
  });

  it('close the gate when one fails, and the others are still made [D000-09]', async () => {
    const provider = answering((prompt) => {
      if (prompt.includes('FORCE_FAIL')) throw new Error('overloaded');
      return pass;
    });
    const report = await new QualityGate({ root: gateFolder(files), provider, retries: 0 }).review({
      reviews: [review('pages'), review('report')],
      outputs,
    });
    expect(report).toMatchObject({ outcome: 'inconclusive', passed: false });
    expect(report.results.map(({ passed }) => passed)).toEqual([true, false, true]);
    expect(report.failures).toEqual([
      expect.objectContaining({
        target_file: 'b.md',
        passed: false,
        reviewed: false,
        feedback: expect.stringContaining('overloaded'),
        error: expect.any(QualityGateError),
      }),
    ]);
  });

  it('fail for a file outside of the root, and the others are made [D000-14]', async () => {
    const gate = new QualityGate({ root: gateFolder(files), provider: answering(() => pass) });
    const report = await gate.review({
      reviews: [review('pages'), review('report')],
      outputs: { pages: ['a.md', '../x.md'], report: 'report.md' },
    });
    expect(report.results.map(({ passed, target_file }) => [target_file, passed])).toEqual([
      ['a.md', true],
      ['../x.md', false],
      ['report.md', true],
    ]);
    expect(report.outcome).toBe('inconclusive');
  });

  it('refuse an unknown output, and skip an absent one [D000-08]', async () => {
    const gate = new QualityGate({ root: gateFolder(files), provider: answering(() => pass) });
    const refused = (reviews: object[], more: object = {}) =>
      expect(gate.evaluateReviews({ reviews: reviews as never, outputs, ...more })).rejects;
    await refused([review('typo')]).toMatchObject({
      code: 'gate_output_invalid',
      value: 'typo',
      message: expect.stringContaining(
        `run_each names "typo", but the step has no such output; it has ${Object.keys(outputs).join(', ')}`,
      ) as unknown,
    });
    const types = { report: 'file', extra: 'file', none: 'files' } as const;
    const fewer = { outputs: { report: 'report.md' }, outputTypes: types };
    await refused([review('typo')], fewer).toThrow('it has report, extra');
    await refused([review('toString')]).toMatchObject({ code: 'gate_output_invalid' });
    const report = await gate.review({
      reviews: [review('extra'), review('none'), review('report')],
      outputs: { report: 'report.md', none: [] },
      outputTypes: types,
    });
    expect(report.skipped).toEqual([
      { review_run_each: 'extra', reason: 'output extra is absent' },
      { review_run_each: 'none', reason: 'output none contains no files' },
    ]);
    expect(report.outcome).toBe('approved');
    const none = await gate.review({ reviews: [review('none')], outputs: { none: [] } });
    expect(none).toMatchObject({ outcome: 'inconclusive', passed: false, review: undefined });
    for (const reviews of [
      ...[null, [null], [{ run_each: 'step' }], [review('step', { criteria: {} })]],
      [{ run_each: 'step', quality_criteria: { a: 5 } }],
    ] as never[])
      await refused(reviews).toMatchObject({ code: 'invalid_options' });
  });

  it('pass unreviewed only for an empty object of criteria', async () => {
    const gate = new QualityGate({ root: gateFolder({ 'a.md': 'x' }) });
    const bad = [undefined, null, [], '', 5, { Complete: '' }, { Complete: null }] as never[];
    for (const qualityCriteria of bad)
      await expect(
        gate.evaluate({ ...one, qualityCriteria }),
        JSON.stringify(qualityCriteria),
      ).rejects.toMatchObject({ name: 'QualityGateError', code: 'invalid_options' });
  });

  it('include string outputs', async () => {
    const provider = answering((prompt) => ({ ...pass, passed: prompt.includes('forty-two') }));
    const gate = new QualityGate({ root: gateFolder(files), provider });
    const outputTypes = { answer: 'string' } as const;
    const failures = (reviews: object[], answer: string) =>
      gate.evaluateReviews({ reviews: reviews as never, outputs: { answer }, outputTypes });
    expect(await failures([review('answer'), review('step')], 'forty-two')).toEqual([]);
    expect(await failures([review('answer')], 'none')).toHaveLength(1);
  });

  it('require an answer to every criterion, or list the rest in every result [D000-07, R2-007]', async () => {
    const two = { run_each: 'step', quality_criteria: { Complete: 'a?', Exact: 'b?' } };
    const provider = answering(() => pass);
    const lenient = new QualityGate({ root: gateFolder(files), provider, everyCriterion: false });
    expect((await lenient.review({ reviews: [two], outputs })).results).toEqual([
      expect.objectContaining({ passed: true, unanswered: ['Exact'] }),
    ]);
    expect(
      await lenient.evaluate({ qualityCriteria: two.quality_criteria, outputs }),
    ).toMatchObject({ passed: true, unanswered: ['Exact'] });
    const gate = new QualityGate({ root: gateFolder(files), provider, retries: 0 });
    const strict = await gate.review({ reviews: [two], outputs });
    expect(strict).toMatchObject({
      outcome: 'inconclusive',
      results: [{ passed: false, feedback: expect.stringContaining('no entry for Exact') }],
    });
  });

  it('have a verdict on listed files where the options say that the model reads files', async () => {
    const many = { reviews: [review()], outputs: { pages: ['a.md', 'b.md', 'report.md'] } };
    const options = { root: gateFolder(files), provider: answering(() => pass), maxInlineFiles: 2 };
    expect(await new QualityGate(options).review(many)).toMatchObject({ outcome: 'inconclusive' });
    const reading = new QualityGate({ ...options, readsFiles: true });
    expect(await reading.evaluateReviews(many)).toEqual([]);
  });

  it('reuse verdicts on equal content with a verdict store', async () => {
    const provider = answering(() => pass);
    const gate = new QualityGate({ root: gateFolder(files), provider, verdicts: memoryVerdicts() });
    for (const _ of [1, 2])
      expect(await gate.review({ reviews: [review('pages')], outputs })).toMatchObject({
        outcome: 'approved',
        results: [{ feedback: 'good' }, { feedback: 'good' }],
      });
    expect(provider.requests).toHaveLength(2);
  });

  it('end when they are cancelled', async () => {
    const claude = fakeClaude('timeout');
    const controller = new AbortController();
    const evaluating = gateWith(gateFolder(files), claude.executable).evaluateReviews({
      reviews: [review()],
      outputs,
      signal: controller.signal,
    });
    await expect.poll(() => claude.calls().length).toBe(1);
    controller.abort();
    await expect(evaluating).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('fence the material with a nonce that its author cannot know', async () => {
    const provider = answering(() => pass);
    await new QualityGate({ root: gateFolder(files), provider }).evaluateReviews({
      reviews: [review('report')],
      outputs,
    });
    const prompt = provider.requests[0]?.messages[0]?.content ?? '';
    expect(readFences(prompt).map(({ label }) => label)).toEqual(['outputs']);
    expect(prompt.endsWith('Evaluate every criterion against these outputs.')).toBe(true);
  });
});
