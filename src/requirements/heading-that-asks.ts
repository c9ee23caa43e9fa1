import { commandsByName } from './command-lines.js';
import type { FoundRequirement } from './document-place.js';
import type { MarkdownBlock } from './markdown.js';
import { isBinding } from './obligation.js';
import type { SectionKind } from './sections.js';

/** A heading that says what must be. It asks if nothing below it does. */
export class HeadingThatAsks {
  readonly #found: FoundRequirement;
  /** The number of requirements that were found above. */
  readonly #count: number;
  /** The level of a heading that is a command. With headings below, it is a title. */
  readonly #level: number | undefined;

  private constructor(found: FoundRequirement, count: number, level: number | undefined) {
    this.#found = found;
    this.#count = count;
    this.#level = level;
  }

  /** Returns a heading that binds or commands, otherwise `undefined`. */
  static of(
    { text, line, level }: Extract<MarkdownBlock, { kind: 'heading' }>,
    kind: SectionKind,
    count: number,
  ): HeadingThatAsks | undefined {
    if (kind === 'excluded') return undefined;
    const commands = level > 1 && kind !== 'background' && commandsByName(text);
    if (!commands && !isBinding(text, kind === 'background')) return undefined;
    const found = { text, kind: 'statement', line, endLine: line };
    return new HeadingThatAsks(found, count, commands ? level : undefined);
  }

  /**
   * Returns the heading as a requirement, unless something below it asks.
   *
   * @param next - The level of the heading after it.
   */
  askedBefore(count: number, next: number): FoundRequirement | undefined {
    const isTitle = this.#level !== undefined && next > this.#level;
    return isTitle || count !== this.#count ? undefined : this.#found;
  }
}
