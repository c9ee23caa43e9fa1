import { checkKeys, checkList, invalid } from '../core/options.js';
import type { Evidence } from '../core/policy.js';
import { checkedModel, type JudgeRates, type RiskModel } from './risk-model.js';
import { type JudgeCount, voteLikelihood } from './vote-likelihood.js';
import { isVote, type JudgeVote, type VotedText, votedTexts } from './voted-texts.js';

/** The risk of one text. */
export interface TextRisk {
  /** The criterion that judges it. */
  readonly id: string;
  /** The probability that it is wrong; 1 where the model does not know a judge. */
  readonly risk: number;
  /** Judges that the model does not know. */
  readonly unknown: readonly string[];
}

/** The risk of an approval. */
export interface ApprovalRisk {
  /** The probability that at least one text is wrong. */
  readonly risk: number;
  /** The riskiest first. */
  readonly texts: readonly TextRisk[];
}

/** Options of {@link riskOf}. */
export interface RiskOptions {
  /** Returns whether a criterion counts. @default every criterion that no check by code judges */
  readonly counts?: ((criterion: string) => boolean) | undefined;
}

/**
 * Returns the probability that the reviewed version is wrong, from who voted what. Judges that are
 * alike tell less than their number: the model never multiplies votes as if they were independent.
 * The figure is as good as its model. It tells whether an arrangement is fit, and sorts single runs
 * only a little.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const { risk, texts } = riskOf(evidence, model);
 * ```
 */
export function riskOf(
  evidence: Pick<Evidence, 'review' | 'history' | 'judges'>,
  model: RiskModel,
  options: RiskOptions = {},
): ApprovalRisk {
  const counts = checkedCounts('riskOf', options);
  return riskReader(model)(votedTexts(evidence, counts));
}

/**
 * Returns the risk of texts with their votes, without a pipeline.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const votes = [{ judge: 'a', passed: true }, { judge: 'b', passed: true }];
 * const { risk } = riskOfTexts([{ id: 'clear', versions: [{ votes }] }], model);
 * ```
 */
export function riskOfTexts(texts: readonly VotedText[], model: RiskModel): ApprovalRisk {
  checkList('texts', texts);
  texts.forEach((text, index) => {
    checkText(`texts[${index}]`, text);
  });
  return riskReader(model)(texts);
}

/** @throws ReviewLoopError `invalid_options` */
export function checkedCounts(name: string, options: RiskOptions): (criterion: string) => boolean {
  checkKeys(name, options, ['counts']);
  const { counts = () => true } = options;
  if (typeof counts !== 'function') throw invalid('counts', 'a function', counts);
  return counts;
}

/** Returns a function that computes risks and keeps what depends on counts only. */
export function riskReader(given: RiskModel): (texts: readonly VotedText[]) => ApprovalRisk {
  const model = checkedModel(given);
  const likelihood = voteLikelihood(model);
  return (texts) => {
    const risks = texts
      .map((text) => textRisk(text, model, likelihood))
      .sort((a, b) => b.risk - a.risk);
    return { risk: 1 - risks.reduce((right, { risk }) => right * (1 - risk), 1), texts: risks };
  };
}

function textRisk(
  { id, versions }: VotedText,
  model: RiskModel,
  likelihood: (counts: readonly JudgeCount[]) => number,
): TextRisk {
  const judges = new Set(versions.flatMap(({ votes }) => votes.map(({ judge }) => judge)));
  const unknown = [...judges].filter((judge) => ratesIn(model, judge) === undefined);
  if (unknown.length > 0) return { id, risk: 1, unknown };
  let risk = model.prior;
  versions.forEach(({ votes, told = false }, index) => {
    const before = index === 0 ? risk : afterEdit(risk, told, model);
    const wrong = before * likelihood(countsOf(votes, model, ({ tnr }) => tnr));
    const right = (1 - before) * likelihood(countsOf(votes, model, ({ tpr }) => 1 - tpr));
    risk = wrong + right > 0 ? wrong / (wrong + right) : 1;
  });
  return { id, risk, unknown };
}

/** An edit that was not told of a text has no reason to have improved it. */
function afterEdit(risk: number, told: boolean, { fix, damage }: RiskModel): number {
  return told ? risk * (1 - fix) + (1 - risk) * damage : Math.max(risk, 0.5);
}

/** Rates of a provider hold for all its models that have none of their own. */
function ratesIn({ rates, otherwise }: RiskModel, judge: string): JudgeRates | undefined {
  const [provider = ''] = judge.split(' ');
  const known = [judge, provider].find((name) => Object.hasOwn(rates, name));
  return known === undefined ? otherwise : rates[known];
}

function countsOf(
  votes: readonly JudgeVote[],
  model: RiskModel,
  failRate: (rates: JudgeRates) => number,
): JudgeCount[] {
  return [...new Set(votes.map(({ judge }) => judge))].flatMap((name) => {
    const own = votes.filter(({ judge }) => judge === name);
    const passes = own.filter(({ passed }) => passed).length;
    const rates = ratesIn(model, name);
    return rates === undefined
      ? []
      : [{ passes, fails: own.length - passes, failRate: failRate(rates) }];
  });
}

function checkText(name: string, text: unknown): void {
  if (typeof text !== 'object' || text === null || !('versions' in text))
    throw invalid(name, '{ id, versions: [{ votes }] }', text);
  checkList(`${name}.versions`, text.versions);
  if (!Array.isArray(text.versions) || text.versions.length === 0)
    throw invalid(`${name}.versions`, 'a list of at least one version', text.versions);
  text.versions.forEach((version: unknown, index) => {
    const votes =
      typeof version === 'object' && version !== null && 'votes' in version
        ? version.votes
        : undefined;
    if (!Array.isArray(votes) || !votes.every(isVote))
      throw invalid(`${name}.versions[${index}].votes`, 'a list of { judge, passed }', votes);
  });
}
