import { describe, expect, it } from 'vitest';
import {
  type Assessment,
  criterion,
  definePipeline,
  memoryStore,
  type PipelineOptions,
  type ReviewEvents,
  type VerdictStore,
} from '@/index.js';
import type { AuditEntry } from '@/ports/audit-chain.js';
import type { StoredVerdict } from '@/ports/index.js';
import { memoryVerdicts } from '@/ports/memory-verdicts.js';
import type { JournalRecord } from '@/ports/store.js';
import { errorWith } from '../../support/matchers.js';
import { throwing } from '../../support/throwing.js';
import {
  auditOf,
  failsWith,
  only,
  openCheck,
  passed,
  passing,
  pipelineOf,
  placeOf,
  reviewer,
  suspended,
  undecided,
} from './support.js';

function options(more: Partial<PipelineOptions<string, string>> = {}) {
  return {
    produce: async () => 'draft',
    reviewers: [openCheck('tone'), openCheck('colour'), criterion<string>('long', () => true)],
    store: memoryStore(),
    ...more,
  } satisfies PipelineOptions<string, string>;
}

/** The decisions of Ada. */
const ada = (decisions: Readonly<Record<string, 'yes' | 'no'>>) => ({ by: 'Ada', decisions });

const [yes, both] = [ada({ tone: 'yes' }), ada({ tone: 'yes', colour: 'yes' })];
const human = { policy: 'auto', notify: async () => {} } as const;

describe('a person decides what no judge could tell', () => {
  it('without a person configured, the run ends and names what is open', async () => {
    for (const given of [undefined, { policy: 'auto' } as const])
      expect(await definePipeline(options(given && { human: given })).run('task')).toMatchObject({
        code: 'undecided',
      });
    const outcome = await definePipeline(options()).run('task');
    expect(outcome).toMatchObject({
      status: 'inconclusive',
      code: 'undecided',
      reason: '2 of 3 assessments are undecided: Is tone met?; Is colour met?',
    });
  });

  it('an ended run takes decisions, which become verdicts with their author', async () => {
    const pipeline = definePipeline(options({ human }));
    const ended = await pipeline.run('task');
    const reason = 'looked at it';
    const outcome = await pipeline.decide(placeOf(ended), { ...both, reason });
    expect(outcome).toMatchObject({ status: 'approved', approved: true });
    expect(outcome.review?.assessments).toContainEqual({
      verdict: 'pass',
      criterion: 'tone',
      score: 1,
      explanation: 'decided by Ada: looked at it',
      gaps: [],
      decidedBy: 'Ada',
    });
  });

  it('a decision about a requirement says whether the output covers it', async () => {
    const coverage = {
      requirement: 'has a title',
      source: 'explicit',
      covered: false,
      coverageDetails: 'unsure',
      confidence: 0.5,
      state: 'unsure',
    } as const;
    const decided = async (decision: 'yes' | 'no') => {
      const pipeline = definePipeline(
        options({
          reviewers: [reviewer('needs', async () => [undecided('title', { coverage })])],
          policy: () => ({ kind: 'approve', reason: 'fine' }),
        }),
      );
      const ended = await pipeline.run('task', { runId: 'r' });
      const given = ada({ title: decision });
      return (await pipeline.decide(placeOf(ended), given)).review?.assessments[0];
    };
    const said = { coverageDetails: 'decided by Ada', decidedBy: 'Ada' };
    expect(await decided('yes')).toMatchObject({
      verdict: 'pass',
      category: 'missing',
      coverage: { ...coverage, ...said, covered: true, state: 'covered' },
    });
    expect(await decided('no')).toMatchObject({
      verdict: 'fail',
      category: 'missing',
      coverage: { ...coverage, ...said, covered: false, state: 'uncovered' },
      gaps: [{ category: 'missing', affectedRequirement: 'has a title', severity: 'major' }],
    });
  });

  it('a suspended run is answered, in parts too; a new question names what is left', async () => {
    const pipeline = definePipeline(options({ human }));
    const request = only(await pipeline.run('task'));
    expect(request).toMatchObject({
      allowed: ['decide', 'reject', 'override'],
      undecided: [
        { criterion: 'tone', question: 'Is tone met?', reason: 'tone needs eyes' },
        { criterion: 'colour' },
      ],
    });
    const second = only(await pipeline.answer(request, { kind: 'decide', ...yes }));
    expect(second.undecided?.map(({ criterion: id }) => id)).toEqual(['colour']);
    expect(second.id).not.toBe(request.id);
    const rest = { kind: 'decide', by: 'Bo', decisions: { colour: 'yes' } } as const;
    expect((await pipeline.answer(second, rest)).approved).toBe(true);
  });

  it('no is a failure with a gap, which the producer may address; a new version is asked about anew', async () => {
    const texts: string[][] = [];
    const pipeline = definePipeline(
      options({
        human,
        address: async (text, gaps) => {
          texts.push(gaps.map(({ description }) => description));
          return `${text}, better`;
        },
      }),
    );
    const first = await pipeline.run('task');
    const second = await pipeline.decide(placeOf(first), ada({ tone: 'no', colour: 'yes' }));
    expect(texts).toEqual([['Not met: Is tone met? (decided by Ada)']]);
    expect(second.status).toBe('suspended');
    expect(second.output).toBe('draft, better');
  });

  it('is audited before it counts, with every decision', async () => {
    const entries: AuditEntry[] = [];
    const pipeline = definePipeline(options({ human, audit: auditOf(entries) }));
    const ended = await pipeline.run('task');
    await pipeline.decide(placeOf(ended), ada({ tone: 'no', colour: 'yes' }));
    expect(entries).toMatchObject([
      { who: 'Ada', decision: 'decide', details: { tone: 'no', colour: 'yes' } },
    ]);
    const broken = definePipeline(
      options({ human, audit: { record: () => Promise.reject(new Error('disk full')) } }),
    );
    const again = await broken.run('task');
    await failsWith(broken.decide(placeOf(again), both), 'audit_unwritable');
    expect((await broken.run('task', { runId: again.runId })).approved).toBe(false);
  });

  it('is reused in later runs while task and output are equal, and never for other ones', async () => {
    const decisions = memoryVerdicts();
    const shared = { human, decisions };
    const pipeline = definePipeline(options(shared));
    const ended = await pipeline.run('task');
    await pipeline.decide(placeOf(ended), both);
    const again = await definePipeline(options(shared)).run('task');
    expect(again).toMatchObject({ status: 'approved' });
    expect(again.review?.assessments[0]).toMatchObject({ decidedBy: 'Ada' });
    expect((await definePipeline(options(shared)).run('another task')).approved).toBe(false);
    const changed = options({ ...shared, produce: async () => 'another draft' });
    expect((await definePipeline(changed).run('task')).approved).toBe(false);
  });

  it('is never the answer to another question of the same id', async () => {
    const [decisions, store] = [memoryVerdicts(), memoryStore()];
    const asking = (description: string, more: Partial<PipelineOptions<string, string>> = {}) =>
      definePipeline({
        ...options({ human, store, ...more }),
        reviewers: [openCheck('tone', description)],
      });
    const [friendly, safe] = ['Is it friendly?', 'Is it free of threats?'];
    const ended = await asking(friendly, { decisions }).run('task');
    await asking(friendly, { decisions }).decide(placeOf(ended), yes);
    expect((await asking(friendly, { decisions }).run('task')).approved).toBe(true);
    expect((await asking(safe, { decisions }).run('task')).approved).toBe(false);
    const { runId } = ended;
    expect((await asking(friendly).run('task', { runId })).approved).toBe(true);
    expect((await asking(safe).run('task', { runId })).approved).toBe(false);

    const prompts = { policy: 'prompt' } as const;
    const waits = asking(friendly, { human: prompts });
    const request = only(await waits.run('task', { runId: 'waits' }));
    await asking(friendly, { human: prompts }).answer(request, { kind: 'decide', ...yes });
    expect((await asking(safe).run('task', { runId: 'waits' })).approved).toBe(false);
  });

  it.each([
    ['a criterion that is not undecided', { long: 'yes' }, 'decision_unknown'],
    ['a criterion that does not exist', { tone: 'yes', nothing: 'yes' }, 'decision_unknown'],
    ['nothing', {}, 'answer_invalid'],
    ['another word', { tone: 'perhaps' }, 'answer_invalid'],
  ])('refuses %s, and records nothing', async (_, given, code) => {
    const pipeline = definePipeline(options({ human }));
    const ended = await pipeline.run('task');
    await failsWith(pipeline.decide(placeOf(ended), ada(given as Record<string, 'yes'>)), code);
    expect((await pipeline.run('task', { runId: ended.runId })).approved).toBe(false);
  });

  it('refuses a version that the run does not reach', async () => {
    const pipeline = definePipeline(options({ human }));
    const { runId } = await pipeline.run('task');
    await failsWith(pipeline.decide({ runId, digest: 'other' }, yes), 'decision_stale');
  });

  it('a reviewer cannot name a person who decided', async () => {
    const liar = reviewer<string>('liar', async () => [
      { ...passed('liar'), decidedBy: 'Ada' } as Assessment,
    ]);
    const outcome = await definePipeline(options({ reviewers: [liar] })).run('task');
    expect(outcome.review?.assessments[0]).not.toHaveProperty('decidedBy');
  });

  it('an optional criterion that is undecided does not hold the approval up', async () => {
    const reviewers = [
      criterion<string>('long', () => true),
      reviewer<string>('wish', async () => [undecided('wish', { mandatory: false })]),
    ];
    expect((await definePipeline(options({ reviewers })).run('task')).approved).toBe(true);
  });
});

describe('an output without content', () => {
  it.each([
    ['an empty text', ''],
    ['white space', ' \n\t'],
    ['an empty list', []],
    ['an empty result', { artifacts: [], result: ' ' }],
    ['no artifacts', { artifacts: [] }],
    ['blank artifacts', { artifacts: [{ path: 'a.html', content: ' \n' }] }],
  ])('%s fails before any judge is asked [R2-002, R3-028]', async (_, output) => {
    let asked = 0;
    const lenient = () => {
      asked += 1;
      return true;
    };
    const pipeline = definePipeline<string, unknown>({
      produce: async () => output,
      criteria: { lenient },
    });
    const outcome = await pipeline.run('task');
    expect(outcome.approved).toBe(false);
    expect(outcome.review?.gaps).toMatchObject([
      { severity: 'critical', criterionId: 'empty-output' },
    ]);
    expect(outcome.review?.scores).toMatchObject({ completeness: null, overall: 0 });
    expect(asked).toBe(0);
  });

  it('is not one whose result is beside its artifacts', async () => {
    const pipeline = definePipeline<string, unknown>({
      produce: async () => ({ artifacts: [], result: { tasks: [1] } }),
      criteria: { fine: () => true },
    });
    expect((await pipeline.run('task')).approved).toBe(true);
  });

  it('is reviewed if the pipeline allows it, and a fixed one is', async () => {
    const allowed = pipelineOf({
      produce: async () => '',
      criteria: { quiet: (text) => text === '' },
      allowEmpty: true,
    });
    expect((await allowed.run('task')).approved).toBe(true);
    const fixed = pipelineOf({
      produce: async () => '',
      address: async () => 'words',
      criteria: { words: (text) => text === 'words' },
    });
    expect(await fixed.run('task')).toMatchObject({ approved: true, output: 'words' });
  });
});

it('a single review names a policy that throws, as a run does', async () => {
  const pipeline = pipelineOf({ policy: throwing('boom') });
  await expect(pipeline.review('task', 'output')).rejects.toMatchObject(
    errorWith('policy_failed', 'the policy threw: boom'),
  );
});

const openTone = (mandatory = true) =>
  reviewer<string>('tone', async () => [undecided('tone', { question: 'Is it kind?', mandatory })]);

/** A store of decisions whose content the test sees. */
function kept() {
  const held = new Map<string, StoredVerdict>();
  const decisions: VerdictStore = {
    get: async (key) => held.get(key),
    put: async (key, verdict) => void held.set(key, verdict),
  };
  return { held, decisions };
}

const toned = (more: Partial<PipelineOptions<string, string>> = {}) =>
  pipelineOf({ produce: async () => 'draft', reviewers: [openTone(), passing('a')], ...more });

describe('a decision that is kept for later runs', () => {
  it('is taken once by a run, which keeps it although the store lost or changed it', async () => {
    const { held, decisions } = kept();
    const first = toned({ decisions });
    const ended = await first.run('task', { runId: 'r' });
    await first.decide(placeOf(ended), yes);
    expect(held.size).toBe(1);
    const later = toned({ decisions, human: { policy: 'require' } });
    const waiting = suspended(await later.run('task', { runId: 'later' }));
    expect(waiting.reviews[0]?.assessments[0]).toMatchObject({ verdict: 'pass', decidedBy: 'Ada' });
    const assessments = [{ ...passed('tone'), decidedBy: 'Bob' } as never];
    for (const [key, verdict] of held) held.set(key, { ...verdict, assessments });
    const still = suspended(await later.run('task', { runId: 'later' }));
    expect(still.reviews[0]?.assessments[0]).toMatchObject({ decidedBy: 'Ada' });
    held.clear();
    expect(await later.answer(waiting.requests[0], { kind: 'approve', by: 'Ann' })).toMatchObject({
      status: 'approved',
      reviews: [{ assessments: [{ verdict: 'pass', decidedBy: 'Ada' }, { verdict: 'pass' }] }],
    });
  });

  it('is recorded once in a run that takes it', async () => {
    const { decisions } = kept();
    const store = memoryStore();
    const first = toned({ decisions });
    await first.decide(placeOf(await first.run('task', { runId: 'r' })), yes);
    const later = toned({ decisions, store, human: { policy: 'require' } });
    for (let times = 0; times < 3; times += 1) await later.run('task', { runId: 'later' });
    const steps = (await store.read('later'))?.filter(
      (record) => record.type === 'step' && record.name === 'iter:1/decision:tone',
    );
    expect(steps).toHaveLength(1);
  });

  it('does not hold for another reviewer, task, output or criterion', async () => {
    const { held, decisions } = kept();
    const decide = async (more: Partial<PipelineOptions<string, string>>, task = 'task') => {
      const made = toned({ decisions, ...more });
      const ended = await made.run(task, { runId: 'r' });
      expect(ended.code).toBe('undecided');
      const [assessment] = ended.reviews[0]?.assessments ?? [];
      await made.decide(placeOf(ended), ada({ [assessment?.criterion ?? '']: 'yes' }));
    };
    await decide({});
    await decide({}, 'another task');
    await decide({ produce: async () => 'another draft' });
    await decide({ reviewers: [{ ...openTone(), id: 'manner' }] });
    expect(held.size).toBe(4);
  });
});

describe('a decision of no', () => {
  const decided = async (mandatory: boolean) => {
    const made = toned({ reviewers: [openTone(mandatory), passing('a')] });
    const ended = await made.run('task', { runId: 'r' });
    return made.decide(placeOf(ended), { ...ada({ tone: 'no' }), reason: 'too harsh' });
  };

  it('blocks an approval where the criterion does', async () => {
    const outcome = await decided(true);
    expect(outcome.approved).toBe(false);
    expect(outcome.reviews[0]?.gaps).toMatchObject([
      {
        ...{ severity: 'major', category: 'quality', criterionId: 'tone', raisedBy: 'tone' },
        ...{ lifecycle: 'new', estimatedEffort: 'medium', autoFixable: true },
        suggestedFix: expect.stringContaining('Is it kind?'),
      },
    ]);
  });

  it('is a remark about an optional one', async () => {
    const outcome = await decided(false);
    expect(outcome.reviews[0]?.gaps).toMatchObject([{ severity: 'minor' }]);
  });
});

describe('the decision of a person in a review', () => {
  it('is not there without a run, and nobody else decides', async () => {
    const review = await toned().review('task', 'draft');
    expect(review.assessments).toMatchObject([{ verdict: 'undecided' }, { verdict: 'pass' }]);
    expect(review.decision).toMatchObject({ kind: 'stop', code: 'undecided' });
  });

  it('is news once', async () => {
    const made = toned();
    const ended = await made.run('task', { runId: 'r' });
    const heard: unknown[] = [];
    const on = {
      'review-end': ({ replayed }: Parameters<ReviewEvents['review-end']>[0]) =>
        void heard.push(replayed),
    };
    await made.decide(placeOf(ended), yes, { on });
    expect((await made.run('task', { runId: 'r', on })).status).toBe('approved');
    expect(heard).toEqual([undefined, true]);
  });

  it('counts although its record is so old that it does not tell what was asked', async () => {
    const store = memoryStore();
    const first = toned({ store });
    const ended = await first.run('task', { runId: 'r' });
    await first.decide(placeOf(ended), yes);
    const old = memoryStore();
    const journal = await old.open('r', true);
    for (const record of (await store.read('r')) ?? [])
      await journal.append(withoutQuestions(record));
    await journal.close();
    const outcome = await toned({ store: old }).run('task', { runId: 'r' });
    expect(outcome).toMatchObject({ status: 'approved' });
    expect(outcome.review?.assessments[0]).toMatchObject({ verdict: 'pass', decidedBy: 'Ada' });
  });
});

function withoutQuestions(record: JournalRecord): JournalRecord {
  if (record.type !== 'answer') return record;
  const { questions: _questions, ...rest } = record;
  return rest;
}

it('a person decides one criterion of a judge that could tell the others', async () => {
  const pipeline = pipelineOf({ judge: async () => [passed('clear'), undecided('tone')] });
  const ended = await pipeline.run('task', { runId: 'r' });
  expect(ended).toMatchObject({ status: 'inconclusive', code: 'undecided' });
  const outcome = await pipeline.decide(placeOf(ended), yes);
  expect(outcome.status).toBe('approved');
  expect(outcome.review?.assessments).toMatchObject([
    { verdict: 'pass', criterion: 'clear' },
    { verdict: 'pass', criterion: 'tone', decidedBy: 'Ada' },
  ]);
  expect(outcome.review?.assessments[0]).not.toHaveProperty('decidedBy');
});
