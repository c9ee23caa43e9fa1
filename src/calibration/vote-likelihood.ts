import { normalQuantile, normalShare } from './normal-distribution.js';

/** How one judge voted on one text, and how often it fails such a text. */
export interface JudgeCount {
  readonly passes: number;
  readonly fails: number;
  /** The share of such texts that the judge fails. */
  readonly failRate: number;
}

/** How alike judges vote. */
interface Correlations {
  readonly betweenJudges: number;
  readonly withinJudge: number;
}

interface Node {
  readonly at: number;
  readonly weight: number;
}

const sharedNodes = nodesOf(25);
const ownNodes = nodesOf(21);

/**
 * Returns a function that gives the probability of votes, by a probit with random effects: a judge
 * fails a text if shared + own + noise is below the quantile of its rate. The shared part has the
 * variance `betweenJudges`; with the own part it is `withinJudge`; all is 1. Results are kept by
 * counts.
 */
export function voteLikelihood({
  betweenJudges,
  withinJudge,
}: Correlations): (counts: readonly JudgeCount[]) => number {
  const shared = Math.sqrt(betweenJudges);
  const own = Math.sqrt(withinJudge - betweenJudges);
  const noise = Math.sqrt(1 - withinJudge);
  const kept = new Map<string, readonly number[]>();
  const given = ({ passes, fails, failRate }: JudgeCount): readonly number[] => {
    const key = `${passes} ${fails} ${failRate}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const bar = normalQuantile(failRate);
    const values = sharedNodes.map(({ at: s }) =>
      sumOver(ownNodes, (o) => {
        const z = (bar - shared * s - own * o) / noise;
        return normalShare(z) ** fails * normalShare(-z) ** passes;
      }),
    );
    kept.set(key, values);
    return values;
  };
  return (counts) => {
    const judges = counts.map(given);
    return sharedNodes.reduce(
      (sum, { weight }, index) =>
        sum + weight * judges.reduce((product, values) => product * (values[index] ?? 0), 1),
      0,
    );
  };
}

/**
 * Returns equally spaced nodes from -5 to 5 with normal weights. For smooth functions, this rule is
 * as exact as Gauss-Hermite.
 */
function nodesOf(count: number): readonly Node[] {
  const nodes = Array.from({ length: count }, (_, index) => {
    const at = -5 + (10 * index) / (count - 1);
    return { at, weight: Math.exp((-at * at) / 2) };
  });
  const all = nodes.reduce((sum, { weight }) => sum + weight, 0);
  return nodes.map(({ at, weight }) => ({ at, weight: weight / all }));
}

function sumOver(nodes: readonly Node[], value: (at: number) => number): number {
  return nodes.reduce((sum, { at, weight }) => sum + weight * value(at), 0);
}
