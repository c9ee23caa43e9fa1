import { dedupeRequirements } from './dedupe.js';
import { documentRequirements, hidesNearlyAll } from './document-requirements.js';
import { gherkinRequirements, isGherkin } from './gherkin.js';
import { loadedGherkin, loadGherkin } from './gherkin-words.js';
import { withIndentedTextAsLists } from './indented-text.js';
import { loadMarkdown, type MarkdownBlock, type ParseMarkdown } from './markdown.js';
import { linesOf } from './plain-text.js';
import { withoutPromptFences, withoutProseFences } from './prompt-fence.js';
import type { Requirement } from './requirement.js';

/** Reads requirements by rules. It may read feature files only once their key words are loaded. */
export class TextReader {
  readonly #parse: ParseMarkdown;

  private constructor(parse: ParseMarkdown) {
    this.#parse = parse;
  }

  /** Loads the parser of Markdown. */
  static async load(): Promise<TextReader> {
    return new TextReader(await loadMarkdown());
  }

  /** Loads the key words of feature files, if the text needs them. */
  async prepare(text: string): Promise<void> {
    if (mayContainGherkin(text)) await loadGherkin();
  }

  requirementsOf(text: string): Requirement[] {
    const parse = this.#parse;
    const gherkin = loadedGherkin();
    const lines = linesOf(text);
    if (gherkin !== undefined && isGherkin(lines, gherkin))
      return dedupeRequirements(gherkinRequirements({ lines }, gherkin));
    const read = (blocks: readonly MarkdownBlock[]): Requirement[] =>
      dedupeRequirements(documentRequirements(blocks, gherkin));
    const given = parse(text);
    const listed = withIndentedTextAsLists(lines, given);
    const blocks = listed === undefined ? given : parse(listed.join('\n'));
    const opened = withoutPromptFences(listed ?? lines, blocks);
    const found = read(opened === undefined ? blocks : parse(opened.join('\n')));
    for (const form of otherForms(listed ?? lines, blocks)) {
      const without = read(parse(form.join('\n')));
      if (hidesNearlyAll(found, without)) return without;
    }
    return found;
  }
}

/** Returns a document without the marks that may wrongly make it code or a quotation. */
function otherForms(lines: readonly string[], blocks: readonly MarkdownBlock[]): string[][] {
  const forms = [withoutProseFences(lines, blocks), withoutQuoteMarks(lines, blocks)];
  return forms.filter((form) => form !== undefined);
}

/** Returns a document with its quotes as plain text. */
function withoutQuoteMarks(
  lines: readonly string[],
  blocks: readonly MarkdownBlock[],
): string[] | undefined {
  const hasQuotes = blocks.some(
    (block) => block.kind === 'other' && block.lines[0]?.startsWith('>') === true,
  );
  return hasQuotes ? lines.map((line) => line.replace(/^(?: {0,3}> ?)+/, '')) : undefined;
}

/**
 * Returns whether a text may contain Gherkin: its first line could be a heading of a feature file,
 * or a fence names Gherkin, or names nothing and may contain steps.
 */
function mayContainGherkin(text: string): boolean {
  const first = linesOf(text).find((line) => line.trim() !== '' && !/^\s*[#@]/.test(line)) ?? '';
  return (
    /^\s*[\p{L}\p{M}][\p{L}\p{M}' ]{0,40}:/u.test(first) ||
    /^[ \t]*(?:`{3,}|~{3,})[ \t]*(?:gherkin|feature|cucumber)\b/im.test(text) ||
    (/^[ \t]*(?:`{3,}|~{3,})(?:[ \t]*te?xt)?[ \t]*$/im.test(text) && /^[ \t]*then\b/im.test(text))
  );
}
