import { describe, expect, it } from 'vitest';
import { onlyAsked } from '@/blocks/address/only-asked.js';
import { inTurn } from '@/blocks/reviewers/in-turn.js';
import type { InTurnOptions } from '@/blocks/reviewers/in-turn-options.js';
import {
  type Assessment,
  definePipeline,
  type LLMProvider,
  llmCriteria,
  llmCriterion,
  memoryStore,
  type Reviewer,
  type Store,
} from '@/index.js';
import type { Journal, JournalRecord } from '@/ports/index.js';
import { silentLogger } from '@/ports/logger.js';
import { scriptedJudge } from '@/testing/index.js';
import type { JudgedCall } from '@/testing/scripted-judge.js';
import { reviewerOf } from '../../../support/reviewer.js';

interface Page {
  readonly title: string;
  readonly body: string;
}

type Part = keyof Page;

const page: Page = { title: 'Tea', body: 'Oolong.' };

/** Three judges that answer alike, unless told otherwise. */
function judges(...answers: (JudgedCall | readonly JudgedCall[])[]) {
  return ['a', 'b', 'c'].map((id, seat) =>
    scriptedJudge({ 'Question 1': answers[seat] ?? answers[0] ?? 'yes' }, { id }),
  );
}

const part = (id: Part, severity?: 'minor') =>
  llmCriterion<Page>({ id, question: 'Is it right?', scope: (whole) => whole[id], severity });

const asked = (providers: ReturnType<typeof judges>) =>
  providers.map(({ requests }) => requests.length);

async function judged(reviewer: Reviewer<string, Page>, output = page) {
  const pipeline = definePipeline<string, Page>({ reviewers: [reviewer], retries: 0 });
  const { assessments } = await pipeline.review('tea', output);
  return assessments[0];
}

describe('inTurn', () => {
  it('needs the passes of judges that take turns, and says who voted what', async () => {
    const providers = judges('yes');
    const found = await judged(inTurn(part('title'), { providers, passes: { first: 2 } }));
    expect(asked(providers)).toEqual([1, 1, 0]);
    expect(found).toMatchObject({
      verdict: 'pass',
      votes: {
        pass: 2,
        fail: 0,
        failed: 0,
        by: ['a', 'b'].map((judge) => ({ judge, passed: true })),
      },
    });
  });

  it('asks no judge twice, however many passes it should need, and says what more would buy', async () => {
    const providers = judges('yes');
    const warned: string[] = [];
    const logger = { ...silentLogger, warn: (_: object, text: string) => void warned.push(text) };
    const named = [...providers, ...providers];
    const options = { providers: named, passes: { first: 4 }, logger };
    const found = await judged(inTurn(part('title'), options));
    expect(asked(providers)).toEqual([1, 1, 1]);
    expect(found).toMatchObject({ verdict: 'pass', votes: { pass: 3 } });
    expect(warned).toEqual([
      expect.stringMatching(/3 passes.*second pass.*another family/) as string,
    ]);
  });

  it('reports the first failure at once, as a finding that may be edited', async () => {
    const providers = judges('yes', { answer: 'no', reason: 'too short' }, 'yes');
    const found = await judged(inTurn(part('title'), { providers }));
    expect(asked(providers)).toEqual([1, 1, 0]);
    expect(found).toMatchObject({
      verdict: 'fail',
      gaps: [{ standing: 'confirmed', description: expect.stringContaining('too short') }],
      votes: { pass: 1, fail: 1 },
    });
  });

  it('asks once about a minor criterion', async () => {
    const providers = judges('yes');
    await judged(inTurn(part('title', 'minor'), { providers }));
    expect(asked(providers)).toEqual([1, 0, 0]);
  });

  it('asks a judge that failed again, and counts no failure as a vote', async () => {
    const down = new Error('overloaded');
    const providers = judges('yes', [down, down, 'yes'], 'yes');
    const found = await judged(inTurn(part('title'), { providers }));
    expect(asked(providers)).toEqual([1, 3, 1]);
    expect(found).toMatchObject({ verdict: 'pass', votes: { pass: 3, failed: 2 } });
  });

  it('is errored, and approves nothing, once a judge keeps failing', async () => {
    const providers = judges('yes', new Error('overloaded'), 'yes');
    const found = await judged(inTurn(part('title'), { providers, tries: 4 }));
    expect(asked(providers)).toEqual([1, 4, 0]);
    expect(found).toMatchObject({ verdict: 'errored', criterion: 'title' });
    const pipeline = definePipeline<string, Page>({
      produce: () => page,
      reviewers: [inTurn(part('title'), { providers, tries: 2 })],
      retries: 0,
    });
    expect(await pipeline.run('tea')).toMatchObject({ approved: false });
  });

  it('keeps the verdict on an equal text, and needs more passes for an edited one', async () => {
    const body: JudgedCall = (text) => (text.includes('!') ? 'yes' : 'no');
    const providers = judges(body);
    const title = judges('yes');
    const outcome = await definePipeline<string, Page>({
      produce: () => page,
      address: (whole) => ({ ...whole, body: `${whole.body}!` }),
      reviewers: [
        inTurn(part('title'), { providers: title, passes: { first: 2, edited: 3 } }),
        inTurn(part('body'), { providers, passes: { first: 2, edited: 3 } }),
      ],
    }).run('tea');
    expect(outcome.status).toBe('approved');
    // one failure, then three passes of the edited text
    expect(asked(providers)).toEqual([2, 1, 1]);
    const votes = outcome.reviews.flatMap(({ assessments }) =>
      assessments.map((one) => 'votes' in one && one.votes?.edits),
    );
    expect(votes).toEqual([0, 0, 0, 1]);
    expect(asked(title)).toEqual([1, 1, 0]);
  });

  it('counts the edits of a text that was not judged before', async () => {
    const providers = judges('yes');
    const options = { providers, passes: { first: 2, edited: 3 } };
    const run = (address: (whole: Page) => Page) =>
      definePipeline<string, Page>({
        produce: () => page,
        address,
        criteria: { 'has-mark': ({ title }) => title.endsWith('!') || 'no mark' },
        reviewers: [inTurn(part('body'), options)],
      }).run('tea');
    // code fails the first version, so that no judge is asked about it
    await run((whole) => ({ ...whole, title: `${whole.title}!` }));
    expect(asked(providers)).toEqual([1, 1, 0]);
    await run((whole) => ({ title: `${whole.title}!`, body: 'Sencha.' }));
    expect(asked(providers)).toEqual([2, 2, 1]);
  });

  it('needs two failures after some edits, and lets two judges outvote one', async () => {
    const providers = judges(['no', 'no', 'yes'], ['yes'], ['yes']);
    const reviewer = inTurn(part('title'), {
      providers,
      after: 1,
      passes: { first: 2, edited: 3 },
    });
    let edits = 0;
    const outcome = await definePipeline<string, Page>({
      produce: () => page,
      address: (whole) => {
        edits += 1;
        return { ...whole, title: `${whole.title}!` };
      },
      reviewers: [reviewer],
    }).run('tea');
    expect(outcome.status).toBe('approved');
    expect(edits).toBe(1);
    expect(outcome.reviews.at(-1)?.assessments[0]).toMatchObject({ votes: { pass: 2, fail: 1 } });
  });

  const says = (verdict: 'pass' | 'skipped'): Assessment =>
    verdict === 'pass'
      ? { verdict, criterion: 'table', score: 1, explanation: '', gaps: [] }
      : { verdict, criterion: 'table', reason: 'no table' };
  /** A reviewer that says what a function makes of the model that it asks. */
  const telling = (providers: readonly LLMProvider[], said: (id: string) => Assessment) => {
    const asking = (provider?: LLMProvider): Reviewer<string, Page> => ({
      id: 'table',
      version: provider?.id ?? '',
      tier: 'model',
      review: async () => [said(provider?.id ?? '')],
    });
    return { ...asking(providers[0]), asks: { provider: providers[0], asking } };
  };
  it('counts no judge for whom a criterion does not apply, and is undecided if another judged it', async () => {
    const saying = (by: Readonly<Record<string, 'pass' | 'skipped'>>) => {
      const providers = judges('yes');
      const judge = telling(providers, (id) => says(by[id] ?? 'pass'));
      return inTurn(judge, { providers, passes: { first: 4 } });
    };
    expect(await judged(saying({ a: 'skipped', b: 'skipped', c: 'skipped' }))).toMatchObject({
      verdict: 'skipped',
    });
    expect(await judged(saying({ a: 'skipped', b: 'skipped' }))).toMatchObject({
      verdict: 'undecided',
      reason: expect.stringContaining('no table') as unknown,
    });
    const found = await judged(saying({ a: 'skipped' }));
    expect(found).toMatchObject({ verdict: 'pass', votes: { pass: 2 } });
    expect(JSON.stringify(found)).not.toContain('"judge":"a"');
  });

  it.each([1, 2, 3])(
    'needs more judges that can tell than such that cannot, for %i passes',
    async (first) => {
      const undecided = {
        verdict: 'undecided',
        criterion: 'table',
        reason: 'cut',
        decidableBy: [],
      };
      for (const silent of [says('skipped'), undecided as Assessment])
        for (const order of ['ab', 'ba']) {
          const providers = [...order].map((id) => scriptedJudge({ 'Question 1': 'yes' }, { id }));
          const judge = telling(providers, (id) => (id === 'a' ? says('pass') : silent));
          const turns = inTurn(judge, { providers, passes: { first } });
          const asksOne = first === 1 && order === 'ab';
          expect((await judged(turns))?.verdict).toBe(asksOne ? 'pass' : 'undecided');
        }
    },
  );

  const both = () => {
    const answers = ['a', 'b', 'c'].map((id) =>
      scriptedJudge({ title: 'yes', body: 'yes' }, { id }),
    );
    const criteria = llmCriteria<Page>(
      [
        { id: 'title', question: 'Is it right?', scope: ({ title }: Page) => title },
        { id: 'body', question: 'Is it right?', scope: ({ body }: Page) => body },
      ],
      { mode: 'batch' },
    );
    return { answers, criteria };
  };

  it('asks the judges about all criteria of a batch in one call each turn', async () => {
    const { answers, criteria } = both();
    const reviewers = criteria.map((one) => inTurn(one, { providers: answers }));
    const { assessments } = await definePipeline<string, Page>({ reviewers }).review('tea', page);
    expect(assessments.map(({ verdict }) => verdict)).toEqual(['pass', 'pass']);
    expect(asked(answers)).toEqual([1, 1, 1]);
  });

  it('asks each criterion of a batch as often as it needs', async () => {
    const { answers, criteria } = both();
    const [title, body] = criteria;
    if (title === undefined || body === undefined) throw new Error('no criteria');
    const reviewers = [
      inTurn(title, { providers: answers, passes: { first: 2 } }),
      inTurn(body, { providers: answers, passes: { first: 3 } }),
    ];
    const { assessments } = await definePipeline<string, Page>({ reviewers }).review('tea', page);
    expect(assessments).toMatchObject([
      { criterion: 'title', verdict: 'pass', votes: { pass: 2 } },
      { criterion: 'body', verdict: 'pass', votes: { pass: 3 } },
    ]);
    expect(asked(answers)).toEqual([1, 1, 1]);
    const about = answers.flatMap(({ requests }) => requests.map(({ criteria = [] }) => criteria));
    expect(about.map((ids) => [...ids].sort().join())).toEqual(
      expect.arrayContaining(['body,title', 'body']),
    );
  });

  it('asks no vote again after a crash', async () => {
    const providers = judges('yes');
    const reviewers = [inTurn(part('title'), { providers, passes: { first: 3 } })];
    const { store, records } = losingStore(2);
    const pipeline = definePipeline<string, Page>({ produce: () => page, reviewers, store });
    await expect(pipeline.run('tea', { runId: 'r' })).resolves.toMatchObject({ status: 'failed' });
    const before = asked(providers).reduce((sum, calls) => sum + calls, 0);
    const kept = records.filter(({ type }) => type === 'step').length;
    const again = definePipeline<string, Page>({
      produce: () => page,
      reviewers,
      store: await filled(records),
    });
    const outcome = await again.run('tea', { runId: 'r' });
    expect(outcome.status).toBe('approved');
    const votes = kept - 1; // the other step is that of `produce`
    expect(votes).toBeGreaterThan(0);
    expect(asked(providers).reduce((sum, calls) => sum + calls, 0)).toBe(before + 3 - votes);
  });

  it.each<[string, unknown, RegExp]>([
    ['no judges', { providers: [] }, /`providers`/],
    ['fewer passes for an edited text', { passes: { first: 3, edited: 2 } }, /`passes.edited`/],
    ['no pass', { passes: { first: 0 } }, /`passes.first`/],
    ['an unknown option', { rounds: 2 }, /rounds/],
    ['no try', { tries: 0 }, /`tries`/],
  ])('refuses %s', (_, options, message) => {
    const all = { providers: judges('yes'), ...(options as object) } as InTurnOptions;
    expect(() => inTurn(part('title'), all)).toThrow(message);
  });

  it('refuses a reviewer that asks no model', () => {
    const check: Reviewer<string, Page> = reviewerOf('x', async () => []);
    expect(() => inTurn(check, { providers: judges('yes') })).toThrow(/asks a model/);
  });
});

describe('onlyAsked', () => {
  const told = (id: Part) =>
    llmCriterion<Page>({ id, question: 'Is it right?', scope: (p) => p[id] });
  const judge = () =>
    scriptedJudge({ title: 'yes', body: (text) => (text.includes('!') ? 'yes' : 'no') });

  async function edited(address: Parameters<typeof onlyAsked<string, Page>>[0], options = {}) {
    return definePipeline<string, Page>({
      produce: () => page,
      address: onlyAsked<string, Page>(address, options),
      reviewers: [told('title'), told('body')],
      provider: judge(),
      budget: { reviews: 2 },
    }).run('tea');
  }
  const wide = { title: 'Coffee', body: 'Oolong!' };

  it('makes an edit again that changed what it was not told of, and keeps the least intrusive', async () => {
    const right = { title: 'Tea', body: 'Oolong!' };
    const afterEdits = async (edits: readonly Page[], options = {}) => {
      let made = 0;
      const { output } = await edited(() => edits[made++] ?? page, options);
      return { output, made };
    };
    expect(await afterEdits([wide, right])).toEqual({ output: right, made: 2 });
    expect(await afterEdits([right])).toEqual({ output: right, made: 1 });
    expect((await afterEdits([wide, wide, { title: 'Cocoa', body: 'Sencha!' }])).made).toBe(3);
    expect((await afterEdits([wide, right], { tries: 1 })).output).toEqual(wide);
  });

  it('keeps the edit that was made, if making it again fails', async () => {
    let made = 0;
    const outcome = await edited(() => {
      made += 1;
      if (made > 1) throw new Error('the service is down');
      return wide;
    });
    expect(outcome).toMatchObject({ status: 'approved', output: wide });
    expect(made).toBe(3);
  });

  it('gives each attempt its own output, so that the first leaves no trace', async () => {
    const seen: string[] = [];
    await edited((whole: { -readonly [Name in Part]: Page[Name] }) => {
      seen.push(whole.title);
      whole.title += '?';
      whole.body += '!';
      return whole;
    });
    expect(seen).toEqual(['Tea', 'Tea', 'Tea']);
  });

  it('refuses what is no function, and no try', () => {
    expect(() => onlyAsked(undefined as never)).toThrow(/address/);
    expect(() => onlyAsked(() => 'x', { tries: 0 })).toThrow(/tries/);
  });
});

/** A store whose journal fails after some steps, as a process that dies. */
function losingStore(steps: number): { readonly store: Store; readonly records: JournalRecord[] } {
  const inner = memoryStore();
  const records: JournalRecord[] = [];
  const open: Store['open'] = async (runId, keep) => {
    const journal: Journal = await inner.open(runId, keep);
    return {
      records: journal.records,
      append: (record) => {
        if (records.filter(({ type }) => type === 'step').length >= steps) throw new Error('gone');
        records.push(record);
        return journal.append(record);
      },
      close: () => journal.close(),
    };
  };
  return { store: { ...inner, open }, records };
}

/** A store with the records of a run. */
async function filled(records: readonly JournalRecord[]): Promise<Store> {
  const store = memoryStore();
  const journal = await store.open('r', true);
  for (const record of records) await journal.append(record);
  await journal.close();
  return store;
}
