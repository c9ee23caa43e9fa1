import { describe, expect, it } from 'vitest';
import { definePipeline, memoryStore } from '../../../src/index.js';
import { fakeClock } from '../../../src/testing/index.js';
import { failed, passed, reviewer, suspended } from './support.js';

const judge = (version: string, isGood: boolean) =>
  reviewer<string>('judge', async () => [isGood ? passed('judge') : failed('judge')], { version });

describe('an override that is recorded', () => {
  it('accepts the version in each later call, and gives no reason to approve it', async () => {
    const store = memoryStore();
    const pipeline = (version: string, isGood: boolean) =>
      definePipeline<string, string>({
        produce: async () => 'x',
        reviewers: [judge(version, isGood)],
        policy: ({ review: { gaps } }) =>
          gaps.length === 0
            ? { kind: 'approve', reason: 'fine' }
            : { kind: 'stop', status: 'rejected', code: 'bad', reason: 'bad' },
        store,
      });
    const strict = pipeline('1', false);
    const { version = '' } = await strict.run('task', { runId: 'r' });
    const given = { by: 'Ann', reason: 'demo' };
    const accepted = { status: 'accepted', code: 'person_overrode', approved: false };
    expect(await strict.override({ runId: 'r', digest: version }, given)).toMatchObject(accepted);
    expect(await strict.run('task', { runId: 'r' })).toMatchObject(accepted);
    expect(await pipeline('2', true).run('task', { runId: 'r' })).toMatchObject({
      status: 'approved',
      approved: true,
    });
  });
});

describe('a run that was answered, and then not again', () => {
  it('ends without a version if it has none by then', async () => {
    const clock = fakeClock();
    const pipeline = definePipeline<string, string>({
      produce: async (_, context) => {
        for (const name of ['first', 'second'])
          await context.ask(name, { question: `${name}?`, allowed: ['approve'] });
        return 'x';
      },
      criteria: { a: () => true },
      human: { policy: 'auto', expiresAfterMs: 1000 },
      clock,
    });
    const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
    suspended(await pipeline.answer(request, { kind: 'approve', by: 'Ann' }));
    clock.advance(1001);
    expect(await pipeline.run('task', { runId: 'r' })).toMatchObject({
      status: 'timed_out',
      code: 'request_expired',
      output: undefined,
    });
  });
});

describe('a person who decided what no judge could tell', () => {
  it('has not decided against a judge that can tell by now', async () => {
    const store = memoryStore();
    const pipeline = (version: string, isOpen: boolean) =>
      definePipeline<string, string>({
        produce: async () => 'x',
        reviewers: [
          reviewer(
            'tone',
            async () => [
              isOpen
                ? {
                    verdict: 'undecided',
                    criterion: 'tone',
                    reason: 'it needs eyes',
                    question: 'Is it kind?',
                    decidableBy: ['person'],
                    mandatory: true,
                  }
                : failed('tone'),
            ],
            { version },
          ),
          reviewer('a', async () => [
            {
              verdict: 'undecided',
              criterion: 'a',
              reason: 'nobody knows',
              question: 'Is it?',
              decidableBy: ['person'],
            },
          ]),
        ],
        store,
      });
    const blind = pipeline('1', true);
    const { version = '' } = await blind.run('task', { runId: 'r' });
    const decided = await blind.decide(
      { runId: 'r', digest: version },
      { by: 'Ann', decisions: { tone: 'yes' } },
    );
    expect(decided.reviews[0]?.assessments[0]).toMatchObject({ verdict: 'pass', decidedBy: 'Ann' });
    const seeing = await pipeline('2', false).run('task', { runId: 'r' });
    expect(seeing.approved).toBe(false);
    expect(seeing.reviews[0]?.assessments[0]).toMatchObject({ verdict: 'fail', criterion: 'tone' });
  });
});
