import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type FinishedStep,
  GateSession,
  gateStateMemory,
  QualityGate,
} from '@/products/quality-gate/index.js';
import { scriptedProvider } from '@/testing/index.js';

const quality_criteria = { Complete: 'Is everything there?' };
const job = {
  name: 'article',
  steps: ['a', 'b'].map((id) => ({
    id,
    outputs: { main: 'file' as const, extra: { type: 'files' as const, required: false } },
    reviews: [{ run_each: 'step', quality_criteria }],
  })),
};
/** The same job, with one more criterion in step `b`. */
const edited = {
  ...job,
  steps: job.steps.map((step) =>
    step.id === 'b'
      ? {
          ...step,
          reviews: [
            { run_each: 'step', quality_criteria: { ...quality_criteria, More: 'Is it?' } },
          ],
        }
      : step,
  ),
};

type StepId = 'a' | 'b';
type Verdict = 'pass' | 'fail' | 'error';
type Action =
  | { readonly kind: 'edit'; readonly file: string; readonly text: string }
  | {
      readonly kind: 'finish';
      readonly step: StepId;
      readonly extra: readonly string[];
      /** Whether files of earlier calls are left out. */
      readonly drop: boolean;
      /** Whether the same outputs are written in another way. */
      readonly otherwise: boolean;
      readonly reason: boolean;
      readonly answer: Verdict;
    }
  | {
      readonly kind: 'submit';
      readonly step: StepId;
      readonly passed: boolean;
      readonly earlier: boolean;
    }
  | { readonly kind: 'accept'; readonly step: StepId }
  | {
      readonly kind: 'restart';
      readonly verified: boolean;
      readonly mode: 'self' | 'external';
      readonly edited: boolean;
    };

const step = fc.constantFrom<StepId>('a', 'a', 'b');
const files = ['a.md', 'b.md', 'x.md', 'y.md'];
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('edit' as const),
      file: fc.constantFrom(...files),
      text: fc.constantFrom('one', 'two', ''),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('finish' as const),
      step,
      extra: fc.constantFrom<readonly string[]>([], [], ['x.md'], ['x.md', 'y.md']),
      drop: fc.constantFrom(false, false, true),
      otherwise: fc.boolean(),
      reason: fc.constantFrom(false, false, true),
      answer: fc.constantFrom<Verdict>('pass', 'fail', 'pass', 'error'),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('submit' as const),
      step,
      passed: fc.boolean(),
      earlier: fc.constantFrom(false, false, true),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('accept' as const), step }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('restart' as const),
      verified: fc.boolean(),
      mode: fc.constantFrom('self' as const, 'external' as const),
      edited: fc.boolean(),
    }),
  },
);

interface Setting {
  readonly verified: boolean;
  readonly mode: 'self' | 'external';
}
const setting = fc.record({
  verified: fc.boolean(),
  mode: fc.constantFrom('self' as const, 'external' as const),
});

/** A session over a folder, and a record of its own of what was judged, and how. */
class Trial {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'gate-property-')));
  readonly #state = gateStateMemory();
  /** The verdicts on each content, in order. An edited step has contents of its own. */
  readonly #verdicts = new Map<string, boolean[]>();
  readonly #contentOf = new Map<string, string>();
  readonly #asked: Record<StepId, { hash: string; token: string }[]> = { a: [], b: [] };
  /** The files that each step handed in so far. */
  readonly #handed: Record<StepId, Set<string>> = { a: new Set(), b: new Set() };
  readonly #acceptedBy = new Map<StepId, 'person' | 'author'>();
  #answer: Verdict = 'pass';
  #now: StepId = 'a';
  #extra: readonly string[] = [];
  #verified = false;
  #wasVerified = false;
  #edited = false;
  #session: GateSession;

  constructor({ verified, mode }: Setting) {
    for (const file of files) writeFileSync(join(this.root, file), 'one');
    this.#session = this.#opened(verified, mode, false);
  }

  close(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  async run(given: Action): Promise<void> {
    switch (given.kind) {
      case 'edit':
        writeFileSync(join(this.root, given.file), given.text);
        break;
      case 'finish':
        await this.#finish(given);
        break;
      case 'submit':
        await this.#submit(given);
        break;
      case 'accept': {
        const outputs = { main: `${given.step}.md`, extra: [...this.#extra] };
        const call = { stepId: given.step, outputs, reason: 'seen', by: 'Ada' };
        const answer = await this.#session.acceptStep(call).catch(refused);
        if (answer !== undefined) this.#acceptedBy.set(given.step, 'person');
        break;
      }
      case 'restart':
        this.#session = this.#opened(given.verified, given.mode, given.edited);
        break;
    }
    await this.#check();
  }

  #opened(verified: boolean, mode: 'self' | 'external', isEdited: boolean): GateSession {
    this.#verified = verified;
    this.#edited = isEdited;
    const provider = scriptedProvider(() => {
      if (this.#answer === 'error') throw new Error('down');
      const passed = this.#answer === 'pass';
      this.#judged(this.#content(this.#now, this.#extra), passed);
      return JSON.stringify(this.#result(passed));
    });
    return new GateSession({
      gate: new QualityGate({ root: this.root, provider, retries: 0 }),
      job: isEdited ? edited : job,
      mode,
      verified,
      maxAttempts: 50,
      maxReviewErrors: 50,
      state: this.#state,
    });
  }

  #result(passed: boolean): object {
    const criteria_results = ['Complete', 'More'].map((criterion) => ({ criterion, passed }));
    return { passed, feedback: passed ? 'good' : 'bad', criteria_results };
  }

  /** Names the content of a step: what its criteria are, and what its files contain now. */
  #content(id: StepId, extra: readonly string[]): string {
    const texts = [`${id}.md`, ...[...extra].sort()].map((file) => [
      file,
      readFileSync(join(this.root, file), 'utf8'),
    ]);
    return JSON.stringify([id, id === 'b' && this.#edited, texts]);
  }

  #judged(content: string, passed: boolean): void {
    this.#verdicts.set(content, [...(this.#verdicts.get(content) ?? []), passed]);
  }

  async #finish(given: Extract<Action, { kind: 'finish' }>): Promise<void> {
    const { step: id, reason, answer, drop } = given;
    const extra = [...new Set([...(drop ? [] : this.#handed[id]), ...given.extra])];
    this.#answer = answer;
    this.#now = id;
    this.#extra = extra;
    const content = this.#content(id, extra);
    const done = await this.#session
      .finishedStep({
        stepId: id,
        outputs: given.otherwise
          ? { extra: extra.map((file) => `./${file}`).reverse(), main: `sub/../${id}.md` }
          : { main: `${id}.md`, extra },
        ...(reason && { qualityReviewOverrideReason: 'trust me' }),
      })
      .catch(refused);
    if (done === undefined) return;
    this.#wasVerified ||= this.#verified;
    for (const file of extra) this.#handed[id].add(file);
    this.#contentOf.set(done.hash, content);
    if (done.outcome === 'accepted' && this.#acceptedBy.get(id) !== 'person')
      this.#acceptedBy.set(id, 'author');
    if (done.outcome === 'approved') this.#acceptedBy.delete(id);
    this.#remember(id, done);
    if (done.status === 'workflow_complete') await this.#checkComplete();
  }

  #remember(id: StepId, { hash, instructions_path: path }: FinishedStep): void {
    if (path === null) return;
    const text = readFileSync(join(this.root, path), 'utf8');
    const token = /^- token: (\S+)$/m.exec(text)?.[1];
    if (token !== undefined) this.#asked[id].push({ hash, token });
  }

  async #submit({ step: id, passed, earlier }: Extract<Action, { kind: 'submit' }>): Promise<void> {
    const asked = this.#asked[id];
    const { hash, token } = (earlier ? asked.at(-2) : asked.at(-1)) ?? { hash: '', token: '' };
    const verdict = { stepId: id, reviewer: 'sub', hash, token, result: this.#result(passed) };
    const done = await this.#session.submitVerdict(verdict).catch(refused);
    if (done !== undefined) this.#judged(this.#contentOf.get(hash) ?? '', passed);
  }

  /** A step is approved only if the last verdict on its present content passes, and none fails. */
  async #check(): Promise<void> {
    const status = await this.#session.reviewStatus().catch(refused);
    if (this.#wasVerified && !this.#verified) expect(status).toBeUndefined();
    if (status === undefined) return;
    for (const id of ['a', 'b'] as const) {
      const own = status.steps[id];
      if (own?.status === 'approved') {
        const extra = plain(own.outputs?.['extra'] ?? []);
        const verdicts = this.#verdicts.get(this.#content(id, extra)) ?? [];
        expect([verdicts.at(-1), verdicts.includes(false)]).toEqual([true, false]);
        expect([...this.#handed[id]].filter((file) => !extra.includes(file))).toEqual([]);
      }
      if (own?.status === 'accepted' && this.#verified)
        expect(this.#acceptedBy.get(id)).toBe('person');
    }
  }

  async #checkComplete(): Promise<void> {
    const { steps } = await this.#session.reviewStatus();
    for (const { status } of Object.values(steps))
      expect(['approved', 'accepted']).toContain(status);
  }
}

function plain(paths: string | readonly string[]): string[] {
  return [paths].flat().map((path) => path.replace(/^\.\//, ''));
}

/** Calls that are refused change nothing that the property looks at. */
function refused(): undefined {
  return undefined;
}

it('a step is approved only whole, by the last verdict on its present content, and no fail on it stands [R2-016, R2-017, R2-018, R2-019, R2-134]', async () => {
  await fc.assert(
    fc.asyncProperty(
      setting,
      fc.array(action, { minLength: 4, maxLength: 24 }),
      async (first, actions) => {
        const trial = new Trial(first);
        try {
          for (const one of actions) await trial.run(one);
        } finally {
          trial.close();
        }
      },
    ),
    { numRuns: 200 },
  );
});
