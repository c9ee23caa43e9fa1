import type { LLMProvider } from '../core/llm-provider.js';
import { plural } from '../core/plural.js';
import type { Reviewer } from '../core/reviewer.js';
import type { Logger } from '../ports/logger.js';
import { whatJudgesBuy } from '../reviewers/in-turn-options.js';

/** The preset that lacks something. */
interface Needs {
  readonly trust: string;
  readonly passes: { readonly first: number };
  /** The strict bar of a preset, as a share of the scale. */
  readonly bar?: number;
  readonly logger: Logger;
}

type Judged = Pick<Reviewer<never, never>, 'id' | 'severity' | 'grading'>;

/** Collects which reviewers of a preset lack judges, families or a bar, and warns once of each. */
export class MissingJudges {
  readonly #needs: Needs;
  readonly #noTurns: string[] = [];
  readonly #alone: string[] = [];
  readonly #ofOneFamily: string[] = [];
  readonly #notStrict: string[] = [];
  /** Reviewers by how many judges they have. */
  readonly #few = new Map<number, string[]>();

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** Notes what a reviewer with these judges lacks. A minor criterion needs one pass. */
  note({ id, severity, grading }: Judged, judges: readonly LLMProvider[]): void {
    const { passes, bar } = this.#needs;
    if (judges.length === 0) this.#noTurns.push(id);
    if (judges.length === 0 || severity === 'minor') return;
    const families = new Set(judges.map((judge) => judge.id)).size;
    if (judges.length === 1) this.#alone.push(id);
    else if (judges.length < passes.first)
      this.#few.set(judges.length, [...(this.#few.get(judges.length) ?? []), id]);
    if (judges.length > 1 && families === 1) this.#ofOneFamily.push(id);
    if (bar !== undefined && (grading === undefined || grading.bar < bar)) this.#notStrict.push(id);
  }

  /** Warns of all that was noted. */
  warn(): void {
    const { trust, passes, bar = 0 } = this.#needs;
    this.#tell(
      this.#alone,
      `\`${trust}\` needs ${passes.first} judges, and these have one: ${onePass}`,
    );
    for (const [judges, ids] of this.#few)
      this.#tell(
        ids,
        `\`${trust}\` needs ${passes.first} judges, and these have ${judges}, so a text needs ` +
          `${plural(judges, 'pass', 'passes')}: ${whatJudgesBuy}`,
      );
    this.#tell(
      this.#ofOneFamily,
      'all judges of these are of one family: on recorded judges, a second judge of the same family ' +
        'takes 1.2 points off the wrong approvals, one of another family 1.4',
    );
    this.#tell(
      this.#notStrict,
      `\`${trust}\` counts on a strict bar, and these have none: set \`scale: 10\` and leave ` +
        `\`passFrom\` out, or set it to ${10 * bar}`,
    );
    this.#tell(this.#noTurns, 'these cannot ask another model, so each is asked once a version');
  }

  #tell(reviewers: readonly string[], message: string): void {
    if (reviewers.length > 0) this.#needs.logger.warn({ reviewers }, message);
  }
}

const onePass =
  `a text needs one pass, because ${whatJudgesBuy}. Name models of other families in \`confirmWith\`; ` +
  'until then set a stricter bar: `scale: 10, passFrom: 7` makes it 3.0 % with one judge, and ' +
  'approves 67 instead of 83 % of the right texts';
