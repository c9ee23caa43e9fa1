import type { Draft, Scenario, Seen, System } from './system.js';

/** What a careless loop gets wrong; each breaks one law. */
export type Flaw =
  | 'errors-are-left-out-of-the-mean'
  | 'fixes-after-the-last-review'
  | 'approves-the-vacuous'
  | 'keeps-the-last'
  | 'random-gap-ids'
  | 'remembers-verdicts-by-criterion'
  | 'waits-for-zero-findings'
  | 'asks-models-anyway'
  | 'loses-everything-on-a-throw'
  | 'counts-the-undecided-as-passed'
  | 'counts-the-skipped-as-seen'
  | 'approves-an-empty-output'
  | 'prefers-the-mean';

interface Verdict {
  readonly id: string;
  readonly passed: boolean;
  readonly failed: boolean;
  readonly details: string;
  readonly minor: boolean;
  readonly critical: boolean;
}

/** A loop as it is often written by hand, with one flaw. */
export function naiveLoop(flaw: Flaw): System {
  return async (scenario) => {
    const remembered = new Map<string, Verdict>();
    const reviews: Seen['reviews'][number][] = [];
    const limit = flaw === 'waits-for-zero-findings' ? 50 : (scenario.iterations ?? 3);
    let draft = await scenario.produce();
    let best: { readonly draft: Draft; readonly score: number } | undefined;
    if (Object.keys(draft).length === 0 && flaw !== 'approves-an-empty-output')
      return seen('exhausted', draft, reviews);
    for (let iteration = 1; iteration <= limit; iteration += 1) {
      const verdicts = await judge(scenario, draft, flaw, remembered);
      const gaps = verdicts
        .filter((verdict) => !verdict.passed && !verdict.failed)
        .map((verdict) => ({
          id: flaw === 'random-gap-ids' ? `gap-${reviews.length}-${verdict.id}` : verdict.id,
          description: verdict.details,
          minor: verdict.minor,
        }));
      reviews.push({ gaps });
      const mean =
        verdicts.filter((verdict) => verdict.passed).length / Math.max(1, verdicts.length);
      const isCritical = verdicts.some(({ passed, critical }) => critical && !passed);
      const score = isCritical && flaw !== 'prefers-the-mean' ? mean - 1 : mean;
      if (best === undefined || score > best.score || flaw === 'keeps-the-last')
        best = { draft, score };
      if (approves(flaw, verdicts, gaps))
        return seen(
          'approved',
          flaw === 'fixes-after-the-last-review' ? await fixed(scenario, draft, gaps) : draft,
          reviews,
        );
      if (verdicts.some((verdict) => verdict.failed))
        return seen('inconclusive', best.draft, reviews);
      draft = await fixed(scenario, draft, gaps);
    }
    return seen('exhausted', best?.draft, reviews);
  };
}

function approves(
  flaw: Flaw,
  verdicts: readonly Verdict[],
  gaps: readonly { readonly minor: boolean }[],
): boolean {
  if (verdicts.length === 0) return flaw === 'approves-the-vacuous';
  if (verdicts.some((verdict) => verdict.failed) && flaw !== 'errors-are-left-out-of-the-mean')
    return false;
  return gaps.every((gap) => gap.minor && flaw !== 'waits-for-zero-findings');
}

async function judge(
  scenario: Scenario,
  draft: Draft,
  flaw: Flaw,
  remembered: Map<string, Verdict>,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  let blocked = false;
  for (const [id, { check, tier = 'code', severity }] of Object.entries(scenario.judges)) {
    if (blocked && tier !== 'code' && flaw !== 'asks-models-anyway') continue;
    const known = flaw === 'remembers-verdicts-by-criterion' ? remembered.get(id) : undefined;
    const verdict = known ?? (await ask(id, check, draft, { flaw, severity }));
    remembered.set(id, verdict);
    verdicts.push(verdict);
    if (!verdict.passed && tier === 'code') blocked = true;
  }
  return verdicts;
}

async function ask(
  id: string,
  check: Scenario['judges'][string]['check'],
  draft: Draft,
  { flaw, severity }: { readonly flaw: Flaw; readonly severity: string | undefined },
): Promise<Verdict> {
  const minor = severity === 'minor';
  const critical = severity === 'critical';
  try {
    const answer = await check(draft, 'task');
    const known =
      answer === true || answer === false || (typeof answer === 'string' && answer !== '');
    const passed = answer === true || isTakenAsPassed(answer, flaw);
    return { id, passed, failed: !known && !passed, details: String(answer), minor, critical };
  } catch (error) {
    if (flaw === 'loses-everything-on-a-throw') throw error;
    return { id, passed: false, failed: true, details: String(error), minor, critical };
  }
}

/** Whether a careless loop takes an answer without a verdict for a pass. */
function isTakenAsPassed(answer: unknown, flaw: Flaw): boolean {
  if (typeof answer !== 'object' || answer === null) return false;
  return (
    ('undecided' in answer && flaw === 'counts-the-undecided-as-passed') ||
    ('skipped' in answer && flaw === 'counts-the-skipped-as-seen')
  );
}

async function fixed(
  scenario: Scenario,
  draft: Draft,
  gaps: readonly { readonly id: string; readonly description: string }[],
): Promise<Draft> {
  return scenario.address === undefined ? draft : scenario.address(draft, gaps);
}

function seen(status: string, output: Draft | undefined, reviews: Seen['reviews']): Seen {
  return { approved: status === 'approved', status, code: status, output, reviews };
}
