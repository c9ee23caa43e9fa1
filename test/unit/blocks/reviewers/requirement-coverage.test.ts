import { describe, expect, it } from 'vitest';
import type { Requirement } from '@/blocks/requirements/requirement.js';
import { requirementCoverage } from '@/blocks/reviewers/requirement-coverage.js';
import type { RequirementCoverage } from '@/core/coverage.js';
import type { RequirementDecision } from '@/core/criterion.js';
import { definePipeline } from '@/index.js';

type Options = Parameters<typeof requirementCoverage<string, string>>[0];

const byWords = async (requirement: string): Promise<RequirementCoverage> => ({
  requirement,
  source: 'explicit',
  covered: true,
  state: 'covered',
  coverageDetails: 'its words occur',
  confidence: 0.9,
  probability: 0.8,
  evidenceLocation: 'a.txt:3',
});

const options: Options = {
  extractRequirements: async () => ['It must print'],
  checkRequirementCovered: byWords,
};

const check = (id: string, decision: RequirementDecision | undefined) => ({
  id,
  version: '1',
  decides: async () => decision,
});

async function review(more: Partial<Options>) {
  const reviewer = requirementCoverage<string, string>({ ...options, ...more });
  return definePipeline<string, string>({ reviewers: [reviewer] }).review('task', 'output');
}
const assessed = async (more: Partial<Options>) => (await review(more)).assessments;

const met: RequirementDecision = { satisfied: true, explanation: 'it is there' };
const violated: RequirementDecision = { satisfied: false, explanation: 'it is not there' };

describe('a requirement that checks decide', () => {
  it('is violated if one check says so, whatever others say', async () => {
    const deciders = [check('none', undefined), check('yes', met), check('no', violated)];
    expect(await assessed({ deciders })).toMatchObject([
      {
        verdict: 'fail',
        coverage: {
          state: 'uncovered',
          covered: false,
          decidedBy: 'no',
          coverageDetails: 'it is not there',
          confidence: 1,
        },
        gaps: [{ description: expect.stringContaining('it is not there') }],
      },
    ]);
  });

  it('is met by the first check that says so, with its evidence', async () => {
    const evidence = [
      { file: 'a.ts', line: 7, quote: 'print()', share: 1 },
      { file: 'b.ts', line: 9, quote: 'print()', share: 1 },
    ];
    const first = { ...met, evidence, files: ['a.ts'], reportedBy: 'other' };
    const deciders = [check('yes', first), check('too', { ...met, explanation: 'as well' })];
    const [assessment] = await assessed({ deciders });
    expect(assessment).toMatchObject({
      verdict: 'pass',
      explanation: 'it is there',
      coverage: {
        state: 'covered',
        decidedBy: 'yes',
        evidence,
        evidenceLocation: 'a.ts:7',
        files: ['a.ts'],
        reportedBy: 'other',
      },
    });
  });

  it('has no evidence that no check gave', async () => {
    const [assessment] = await assessed({ deciders: [check('yes', met)] });
    const coverage = assessment !== undefined && 'coverage' in assessment && assessment.coverage;
    for (const member of ['evidence', 'evidenceLocation', 'files', 'reportedBy'])
      expect(coverage).not.toHaveProperty(member);
  });

  it('is left to words if no check decides', async () => {
    expect(await assessed({ deciders: [check('none', undefined)] })).toMatchObject([
      { verdict: 'pass', coverage: { coverageDetails: 'its words occur' } },
    ]);
  });

  it('is decided apart from another one', async () => {
    const decider = {
      ...check('prints', undefined),
      decides: async (requirement: string) => ({
        satisfied: requirement.includes('print'),
        explanation: requirement,
      }),
    };
    const extractRequirements = async () => ['It must print', 'It must sing'];
    expect(await assessed({ deciders: [decider], extractRequirements })).toMatchObject([
      { verdict: 'pass', explanation: 'It must print' },
      { verdict: 'fail', explanation: 'It must sing' },
    ]);
  });

  it('is errored by a check that throws', async () => {
    const throws = {
      ...check('throws', undefined),
      decides: () => Promise.reject(new Error('no disk')),
    };
    expect(await assessed({ deciders: [throws] })).toMatchObject([
      { verdict: 'errored', error: { code: 'criterion_threw', retryable: true } },
    ]);
  });
});

describe('words that only hint', () => {
  it('decide nothing, and show where to look', async () => {
    const [assessment] = await assessed({ words: 'hint' });
    expect(assessment).toMatchObject({
      verdict: 'undecided',
      mandatory: true,
      reason: expect.stringContaining('a.txt:3'),
      coverage: { state: 'unsure', covered: false, evidenceLocation: 'a.txt:3' },
    });
    if (assessment?.verdict === 'undecided')
      expect(assessment.coverage).not.toHaveProperty('probability');
  });

  it('say so without a place', async () => {
    const [assessment] = await assessed({
      words: 'hint',
      checkRequirementCovered: async (requirement) => ({
        ...(await byWords(requirement)),
        evidenceLocation: undefined,
      }),
    });
    expect(assessment).toMatchObject({
      verdict: 'undecided',
      reason: expect.stringMatching(/it$/),
    });
  });
});

describe('requirementCoverage', () => {
  it.each<[string, object]>([
    ['extractRequirements', { extractRequirements: 'all' }],
    ['extractRequirements', { extractRequirements: { read: () => [] } }],
    ['extractRequirements', { extractRequirements: null }],
    ['judge', { judge: 'yes' }],
    ['judge', { judge: {} }],
    ['judge', { judge: null }],
    ['words', { words: 'maybe' }],
    ['deciders', { deciders: 'all' }],
    ['deciders', { deciders: [{ id: 'a' }] }],
    ['deciders', { deciders: [null] }],
  ])('refuses a wrong `%s`', (name, wrong) => {
    expect(() => requirementCoverage({ ...options, ...wrong } as Options)).toThrow(
      expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining(name) }),
    );
  });

  it('takes the words that it knows, and functions', () => {
    for (const words of ['decide', 'hint', undefined] as const)
      expect(() =>
        requirementCoverage({ ...options, words, judge: async (one) => one }),
      ).not.toThrow();
  });

  it('has another version for other checks, words, rules and thresholds', () => {
    const version = (more: Partial<Options>) =>
      requirementCoverage({ ...options, ...more }).version;
    const versions = [
      version({}),
      version({ words: 'hint' }),
      version({ threshold: 0.5 }),
      version({ version: '1' }),
      version({ version: '2' }),
      version({ deciders: [check('a', met)] }),
      version({ deciders: [check('b', met)] }),
      version({ deciders: [{ ...check('b', met), version: '2' }] }),
      version({ judge: async (one) => one }),
      version({ judge: async (one) => ({ ...one, covered: true }) }),
      version({ extractRequirements: async () => [] }),
      version({ checkRequirementCovered: (requirement) => byWords(requirement) }),
    ];
    expect(new Set(versions).size).toBe(versions.length);
    expect(version({})).toBe(version({ words: 'decide', threshold: 0.9, deciders: [] }));
  });

  it('has the version of its model in its own', () => {
    const model = (version: string) => ({ version, judgeAll: async () => [] });
    const version = (judge: Options['judge']) =>
      requirementCoverage({ ...options, version: '1', judge }).version;
    const versions = [version(undefined), version(model('1')), version(model('2'))];
    expect(new Set(versions).size).toBe(3);
    // the functions of a reviewer with a version are those of that version
    expect(version(async (one) => one)).toBe(versions[0]);
  });

  it('reads the requirements again after a failure', async () => {
    let times = 0;
    const reviewer = requirementCoverage<string, string>({
      ...options,
      extractRequirements: async () => {
        times += 1;
        if (times === 1) throw new Error('no model');
        return ['It must print'];
      },
    });
    const outcome = await definePipeline<string, string>({
      produce: async () => 'x',
      reviewers: [reviewer],
      retries: 1,
    }).run('task');
    expect(outcome.status).toBe('approved');
    expect(times).toBe(2);
  });

  it('is skipped where the task states nothing', async () => {
    expect(await assessed({ extractRequirements: async () => [' ', ''] })).toMatchObject([
      { verdict: 'skipped' },
    ]);
  });
});

const unsure = (requirement: string): RequirementCoverage => ({
  requirement,
  source: 'explicit',
  covered: false,
  state: 'unsure',
  coverageDetails: 'half of its words',
  confidence: 0.4,
});

describe('requirementCoverage with states', () => {
  it('what is unsure is undecided, and never covered at the gate [D004-05] [R2-037]', async () => {
    const { assessments, decision } = await review({
      checkRequirementCovered: async (requirement) => ({ ...unsure(requirement), covered: true }),
    });
    expect(assessments[0]).toMatchObject({ verdict: 'undecided', mandatory: true });
    expect(decision).toMatchObject({ kind: 'stop', code: 'undecided' });
  });

  it('asks the judge about what is unsure only, and takes its word', async () => {
    const asked: string[] = [];
    const assessments = await assessed({
      extractRequirements: async () => ['a', 'b'],
      checkRequirementCovered: async (requirement) =>
        requirement === 'a'
          ? unsure(requirement)
          : { ...unsure(requirement), covered: true, state: 'covered' },
      judge: async (coverage, { task, output }) => {
        asked.push(`${coverage.requirement} ${task} ${output}`);
        return { ...coverage, covered: true, state: 'covered' };
      },
    });
    expect(asked).toEqual(['a task output']);
    expect(assessments.map(({ verdict }) => verdict)).toEqual(['pass', 'pass']);
  });

  it('extracts once for all reviews of a run, also for a task that is a text [SR-73]', async () => {
    let extractions = 0;
    const reviewer = requirementCoverage<string, string>({
      extractRequirements: async () => {
        extractions += 1;
        return ['It must have a c'];
      },
      checkRequirementCovered: async (requirement, output) => ({
        ...unsure(requirement),
        covered: output.includes('c'),
        state: output.includes('c') ? 'covered' : 'uncovered',
      }),
    });
    const pipeline = definePipeline<string, string>({
      produce: async () => 'a',
      address: async (output) => `${output}c`,
      reviewers: [reviewer],
    });
    const outcome = await pipeline.run('task');
    expect(outcome.status).toBe('approved');
    expect(outcome.reviews).toHaveLength(2);
    expect(extractions).toBe(1);
  });
});

it('the strength of a source decides what is mandatory, not the words of the text', async () => {
  const listed = (text: string, strength: Requirement['strength']): Requirement => ({
    text,
    source: 'explicit',
    kind: 'listed',
    strength,
    line: 1,
    endLine: 1,
    section: [],
  });
  const reviewer = requirementCoverage<string, string>({
    extractRequirements: {
      makesSteps: false,
      extract: async () => [listed('It must print', 'MAY'), listed('It prints', 'MUST')],
    },
    checkRequirementCovered: async (requirement) => ({
      ...unsure(requirement),
      state: 'uncovered',
    }),
    threshold: 0,
  });
  const { gaps } = await definePipeline<string, string>({ reviewers: [reviewer] }).review('t', 'o');
  const severities = gaps.map((gap) => [gap.affectedRequirement, gap.severity]);
  expect(Object.fromEntries(severities)).toEqual({
    'It must print': 'minor',
    'It prints': 'major',
  });
});
