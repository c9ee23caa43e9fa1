import { describe, expect, it } from 'vitest';
import {
  type Assessment,
  criterion,
  definePipeline,
  type Gap,
  isJudged,
  type LLMProvider,
  llmCriterion,
  panel,
  type Reviewer,
  verified,
} from '../../../src/index.js';
import {
  fakeReviewerContext,
  scriptedJudge,
  scriptedProvider,
} from '../../../src/testing/index.js';
import { failed, passed } from '../engine/support.js';

const subject = { task: 'task', output: 'the output', iteration: 1 };

const saying = (id: string, ...answers: readonly (readonly Assessment[])[]) => {
  let asked = 0;
  const said: Reviewer<string, string> = {
    id,
    version: '1',
    tier: 'model',
    review: async () => {
      asked += 1;
      return answers[Math.min(asked, answers.length) - 1] ?? [];
    },
  };
  return said;
};

async function gapsOf(reviewer: Reviewer<string, string>): Promise<readonly Gap[]> {
  const { assessments } = await definePipeline<string, string>({
    reviewers: [reviewer],
    retries: 0,
  }).review('task', 'the output');
  return assessments.flatMap((one) => (isJudged(one) ? one.gaps : []));
}

describe('the gap of a finding', () => {
  const finding = async (more: object): Promise<Gap | undefined> => {
    const check = criterion<string, string>('c', () => ({
      passed: false,
      score: 0,
      details: 'no',
      findings: [{ description: 'wrong', ...more }],
    }));
    return (await gapsOf(check))[0];
  };

  it('has the picture, the quote and the place that the finding has', async () => {
    const picture = 'data:image/png;base64,AA==';
    const gap = await finding({ evidence: 'the', picture, file: 'a.txt', line: 3, endLine: 5 });
    expect(gap).toMatchObject({
      evidence: 'the',
      picture,
      affectedArtifact: 'a.txt',
      location: { file: 'a.txt', line: 3, endLine: 5 },
    });
  });

  it('has no member for what the finding does not say', async () => {
    const gap = await finding({ file: 'a.txt' });
    expect(Object.keys(gap?.location ?? {})).toEqual(['file']);
    for (const member of ['evidence', 'picture']) expect(gap).not.toHaveProperty(member);
    const bare = await finding({});
    for (const member of ['location', 'affectedArtifact']) expect(bare).not.toHaveProperty(member);
  });
});

describe('the vote of a member with several assessments', () => {
  const scored = (criterion: string, score: number): Assessment => ({
    verdict: score >= 0.5 ? 'pass' : 'fail',
    criterion,
    score,
    explanation: '',
    gaps: [],
  });
  const panelOf = async (...votes: readonly (readonly Assessment[])[]) => {
    const members = votes.map((assessments, index) => saying(`m${index}`, assessments));
    const [assessment] = (await panel(members).review(subject, fakeReviewerContext())) as [
      Assessment,
    ];
    return assessment;
  };

  it('passes only if all of them pass', async () => {
    const mixed = [scored('a', 1), scored('b', 0.2)];
    expect(await panelOf(mixed, mixed)).toMatchObject({ verdict: 'fail', votes: { fail: 2 } });
  });

  it('scores their mean', async () => {
    const both = [scored('a', 1), scored('b', 0.6)];
    const found = await panelOf(both, both);
    expect(isJudged(found) && found.score).toBeCloseTo(0.8);
  });
});

describe('verified', () => {
  it('says that it checks findings, and drops a proposal with one that is disputed', async () => {
    const sure = failed('sure', 'wrong');
    const invented = failed('unsure', 'bad', { evidence: 'nobody wrote this' });
    const judge = saying('judge', [sure, invented]);
    const taken = verified({
      ...judge,
      review: async (...given) => ({
        assessments: (await judge.review(...given)) as readonly Assessment[],
        proposal: 'better',
      }),
    });
    expect(taken.checksFindings).toBe(true);
    const answer = await taken.review(subject, fakeReviewerContext());
    expect(answer).toMatchObject({
      assessments: [{ gaps: [{ standing: 'confirmed' }] }, { gaps: [{ standing: 'disputed' }] }],
    });
    expect('proposal' in answer && answer.proposal).toBeFalsy();
  });

  it('has another version than its reviewer, and for other rules', () => {
    const judge = saying('judge', [passed('judge')]);
    const versions = [
      judge.version,
      verified(judge).version,
      verified(judge, { opinions: 5 }).version,
      verified(judge, { agree: 'criterion' }).version,
    ];
    expect(new Set(versions).size).toBe(4);
    expect(verified(judge, { opinions: 3, agree: 'place' }).version).toBe(versions[1]);
  });

  it('asks other models in their order, and then from the first again', async () => {
    const asked: string[] = [];
    const as = (provider: LLMProvider | undefined): Reviewer<string, string> => ({
      ...saying('judge', []),
      review: async () => {
        asked.push(provider?.id ?? 'own');
        return [failed('judge')];
      },
      asks: { provider, asking: (other) => as(other) },
    });
    const others = ['a', 'b', 'c'].map((id) => scriptedProvider(() => '', { id }));
    await verified(as(undefined), { opinions: 9, confirmWith: others }).review(
      subject,
      fakeReviewerContext(),
    );
    expect(asked).toEqual(['own', 'a', 'b', 'c', 'a']);
  });

  it.each<[string, 'confirmed' | 'disputed', 'code' | 'model', object]>([
    ['of a model about a file that is not there', 'disputed', 'model', { file: 'b.ts' }],
    ['of a program about a file that is not there', 'confirmed', 'code', { file: 'b.ts' }],
    ['of a program about an artifact that is not there', 'confirmed', 'code', { artifact: 'b.ts' }],
    ['of a program about no file', 'disputed', 'code', {}],
  ])('takes a quote that does not occur, %s, as %s', async (_, standing, tier, where) => {
    const { file, artifact } = where as { file?: string; artifact?: string };
    const more = {
      evidence: 'nobody wrote this',
      ...(file !== undefined && { location: { file } }),
      ...(artifact !== undefined && { affectedArtifact: artifact }),
    };
    const judge = { ...saying('judge', [failed('judge', 'wrong', more)]), tier };
    const gaps = await gapsOf(verified(judge, { opinions: 1 }));
    expect(gaps.map((gap) => gap.standing)).toEqual([standing]);
  });
});

describe('the prompt of a judge', () => {
  it('says by the nonce of the review what is material, in the system part', async () => {
    const provider = scriptedJudge({ clear: 'yes' });
    const context = fakeReviewerContext();
    await llmCriterion<string, string>({
      id: 'clear',
      question: 'Is it clear?',
      provider,
    }).review(subject, context);
    const [request] = provider.requests;
    const [, nonce = 'none'] =
      /<<<UNTRUSTED (\w+) /.exec(request?.messages[0]?.content ?? '') ?? [];
    expect(request?.system).toContain(nonce);
    for (const member of ['"token"', '"answers"', '"question"', '"quote"', '"severity"'])
      expect(request?.system).toContain(member);
  });

  it('needs no context where a criterion is asked alone', async () => {
    const provider = scriptedJudge({ clear: 'yes' });
    const alone = llmCriterion<string, string>({ id: 'clear', question: 'Is it clear?', provider });
    expect(await alone.validate('x', 'task', undefined as never)).toMatchObject({ passed: true });
  });
});
