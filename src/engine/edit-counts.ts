import { hashText } from '../core/hash.js';
import type { Version } from '../core/version.js';
import type { View } from './reviewer-reply.js';

/** How often the text of each reviewer was edited on the way to each version of a run. */
export class EditCounts {
  /** By reviewer and version. */
  readonly #known = new Map<string, { readonly view: string; readonly edits: number }>();

  /** Returns a view with its edits, which are part of its digest: verdicts depend on them. */
  of<Output>(
    reviewer: string,
    { digest, parent }: Pick<Version<unknown>, 'digest' | 'parent'>,
    view: View<Output>,
  ): View<Output> {
    const edits = parent === undefined ? 0 : this.#after(`${reviewer}\u0000${parent}`, view);
    this.#known.set(`${reviewer}\u0000${digest}`, { view: view.digest, edits });
    return { ...view, edits, digest: hashText(`${view.digest}\u0000${edits}`) };
  }

  /** A text whose earlier version is unknown counts as edited. */
  #after(key: string, { digest }: Pick<View<unknown>, 'digest'>): number {
    const before = this.#known.get(key);
    return before === undefined ? 1 : before.edits + Number(before.view !== digest);
  }
}
