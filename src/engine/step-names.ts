import { ReviewLoopError } from '../core/errors.js';

/** The names that one scope has given to its calls. */
export class StepNames {
  readonly #scope: string;
  /** Most scopes make one call. */
  #first: string | undefined;
  #more: Set<string> | undefined;

  constructor(scope: string) {
    this.#scope = scope;
  }

  /**
   * The full name of a call.
   *
   * @throws ReviewLoopError `step_reused`
   */
  claim(name: string): string {
    const fullName = `${this.#scope}/${name}`;
    if (fullName === this.#first || this.#more?.has(fullName))
      throw new ReviewLoopError('step_reused', `${this.#scope} used the name \`${name}\` twice`);
    if (this.#first === undefined) this.#first = fullName;
    else {
      this.#more ??= new Set();
      this.#more.add(fullName);
    }
    return fullName;
  }
}
