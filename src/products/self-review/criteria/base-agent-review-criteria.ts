import { dedupeRequirements, requirementKey } from '../../../blocks/requirements/dedupe.js';
import type { EvidenceFinder } from '../../../blocks/requirements/evidence.js';
import {
  explicitRequirementsNow,
  loadReader,
} from '../../../blocks/requirements/explicit-requirements.js';
import {
  type MatchOptions,
  type MatchSource,
  matchRequirement,
} from '../../../blocks/requirements/match.js';
import type { Requirement } from '../../../blocks/requirements/requirement.js';
import { acceptanceCriteriaOf, taskTextOf } from '../../../blocks/requirements/task-text.js';
import { artifactsOf } from '../../../core/artifact.js';
import type {
  CoverageEvidence,
  CoverageState,
  RequirementCoverage,
} from '../../../core/coverage.js';
import type { AgentOutput, AgentRequest } from '../agent.js';
import type { AgentReviewCriteria, ReviewContext, ReviewCriterion } from '../review-criterion.js';

const quoted = 120;
const mostRemembered = 10_000;

/**
 * Base class for the criteria of one kind of agent. A subclass has an `agentId` and `criteria`, and
 * may override the other members.
 *
 * @example
 * ```ts
 * class DocsCriteria extends BaseAgentReviewCriteria {
 *   agentId = 'docs';
 *   criteria = [
 *     criterion('has-title', (output: AgentOutput) => this.textOf(output).startsWith('# ')),
 *   ];
 * }
 * ```
 */
export abstract class BaseAgentReviewCriteria<Output = AgentOutput, Request = AgentRequest>
  implements AgentReviewCriteria<Output, Request>
{
  abstract agentId: string;
  abstract criteria: ReviewCriterion<Output, Request>[];

  readonly #implicit = new Set<string>();
  #finder:
    | { readonly key: string; readonly text: string; readonly find: Promise<EvidenceFinder> }
    | undefined;

  /**
   * Returns the text that the default coverage check reads: the contents of the artifacts, and the
   * result as JSON.
   */
  protected textOf(output: Output): string {
    return this.sourcesOf(output)
      .map((source) => source.text)
      .join('\n');
  }

  /** Returns the task's description, or else its prompt, or else ''. */
  protected taskText(request: Request): string {
    return taskTextOf(request);
  }

  /** Returns explicit requirements, implicit requirements and acceptance criteria, each once. */
  async extractRequirements(request: Request): Promise<string[]> {
    await loadReader(this.taskText(request));
    const accepted = [...new Set(acceptanceCriteriaOf(request))].map((text) =>
      asRequirement(text, 'explicit'),
    );
    const stated = this.extractExplicitRequirements(request).map((text) =>
      asRequirement(text, 'explicit'),
    );
    const implied = this.inferImplicitRequirements(request).map((text) =>
      asRequirement(text, 'implicit'),
    );
    // the text of an acceptance criterion identifies it, so its words stay; duplicates are removed
    const kept = dedupeRequirements(
      [...accepted, ...stated, ...implied].filter((requirement) => requirement.text !== ''),
    );
    const texts = new Set(accepted.map((requirement) => requirement.text));
    const others = kept.filter((requirement) => !texts.has(requirement.text));
    for (const { text, source } of [...others, ...accepted])
      this.#remember(requirementKey(text), source);
    return [...others.map((requirement) => requirement.text), ...texts];
  }

  /** Returns the requirements that the task's text states. */
  protected extractExplicitRequirements(request: Request): string[] {
    return explicitRequirementsNow(this.taskText(request)).map((requirement) => requirement.text);
  }

  /** Returns the requirements that a task implies; override it. @default [] */
  protected inferImplicitRequirements(_request: Request): string[] {
    return [];
  }

  /**
   * Returns whether the output covers a requirement: at least half of its words must be close
   * together in the output's text. With fewer words, a negation, a plan or a restated task the
   * result is `unsure`.
   */
  async checkRequirementCovered(
    requirement: string,
    output: Output,
    _context: ReviewContext,
  ): Promise<RequirementCoverage> {
    const find = await this.#finderFor(this.sourcesOf(output), this.textOf(output));
    const { state, confidence, probability, evidence } = find(requirement);
    const [best] = evidence;
    return {
      requirement,
      source: this.sourceOf(requirement),
      covered: state === 'covered',
      state,
      coverageDetails: describeEvidence(requirement, state, best),
      ...(best !== undefined &&
        best.file !== '' && { evidenceLocation: `${best.file}:${best.line}` }),
      confidence,
      probability,
      evidence: [...evidence],
    };
  }

  /** Searches the text of an overridden `textOf`. */
  async #finderFor(sources: readonly MatchSource[], text: string): Promise<EvidenceFinder> {
    const joined = sources.map((source) => source.text).join('\n');
    const key = sources
      .map(({ file, text: content }) => `${file ?? ''}\u0000${content}`)
      .join('\u0000');
    const known = this.#finder;
    if (known !== undefined && known.key === key && known.text === text) return known.find;
    const find = import('../../../blocks/requirements/evidence.js').then(({ evidenceFinder }) =>
      evidenceFinder(joined === text ? sources : [{ text }]),
    );
    this.#finder = { key, text, find };
    return find;
  }

  /** Returns the texts of an output with their paths; `textOf` joins them. */
  protected sourcesOf(output: Output): MatchSource[] {
    const sources = artifactsOf(output).map(
      ({ path, content = '' }): MatchSource => ({ text: content, file: path }),
    );
    const result: unknown =
      typeof output === 'object' && output !== null && 'result' in output
        ? output.result
        : undefined;
    if (result !== undefined)
      sources.push({ text: typeof result === 'string' ? result : (JSON.stringify(result) ?? '') });
    return sources;
  }

  /**
   * Searches for a requirement in all texts together, and names the text that contains most of its
   * words.
   */
  protected coverageIn(
    requirement: string,
    sources: readonly MatchSource[],
    { text, ...options }: MatchOptions & { readonly text?: string } = {},
  ): RequirementCoverage {
    const { covered, confidence, evidence } = matchRequirement(
      requirement,
      [{ text: text ?? sources.map((source) => source.text).join('\n') }],
      options,
    );
    const place = covered ? matchRequirement(requirement, sources) : undefined;
    const quote = place?.evidence ?? evidence ?? '';
    const found =
      quote === ''
        ? ''
        : `${Math.floor(confidence * 100)}% of its words: "${quote.slice(0, quoted)}"`;
    return {
      requirement,
      source: this.sourceOf(requirement),
      covered,
      coverageDetails: describe(requirement, covered, found),
      ...(place?.file !== undefined &&
        place.line !== undefined && { evidenceLocation: `${place.file}:${place.line}` }),
      confidence,
    };
  }

  /** Returns the source of an extracted requirement, or `explicit` for any other requirement. */
  protected sourceOf(requirement: string): RequirementCoverage['source'] {
    return this.#implicit.has(requirementKey(requirement)) ? 'implicit' : 'explicit';
  }

  #remember(key: string, source: RequirementCoverage['source']): void {
    this.#implicit.delete(key);
    if (source === 'implicit') this.#implicit.add(key);
    const [oldest] = this.#implicit;
    if (this.#implicit.size > mostRemembered && oldest !== undefined) this.#implicit.delete(oldest);
  }
}

function describe(requirement: string, covered: boolean, found: string): string {
  if (requirement.trim() === '') return 'The requirement is empty';
  if (covered) return `Found, ${found}`;
  return found === '' ? 'None of its words were found' : `Not enough of it was found, ${found}`;
}

const doubts: Readonly<Record<NonNullable<CoverageEvidence['doubt']>, string>> = {
  negated: 'the words are next to a negation',
  planned: 'the words describe unfinished work',
  restated: 'the output only repeats the requirement',
};

function describeEvidence(
  requirement: string,
  state: CoverageState,
  best: CoverageEvidence | undefined,
): string {
  if (requirement.trim() === '') return 'The requirement is empty';
  if (best === undefined) return 'None of its words were found';
  const found = `${Math.floor(best.share * 100)}% of its words: "${best.quote.slice(0, quoted)}"`;
  if (state === 'covered') return `Found, ${found}`;
  const why = best.doubt === undefined ? 'not enough of it was found' : doubts[best.doubt];
  return `${state === 'unsure' ? 'Unsure' : 'Not covered'}: ${why}, ${found}`;
}

function asRequirement(text: string, source: Requirement['source']): Requirement {
  return {
    text: text.trim(),
    source,
    kind: 'statement',
    strength: 'SHOULD',
    line: 1,
    endLine: 1,
    section: [],
  };
}
