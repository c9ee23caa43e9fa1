import type { Artifact } from '../../../core/artifact.js';
import type { CoverageEvidence } from '../../../core/coverage.js';
import { cutAroundSecrets } from '../../../redact/cut-around-secrets.js';
import { type SourceLines, sourceLines } from '../../source-lines.js';
import { attribute, type Element, type Page } from '../dom.js';
import { changesOf, type PageChanges } from './page-scripts.js';
import { styleTextOf, Visibility } from './visibility.js';

const longestQuote = 200;

/** A page with what decisions about it need. */
export class PageView {
  readonly page: Page;
  readonly visibility: Visibility;
  readonly changes: PageChanges;
  /** The styles of the page and of its linked artifacts. */
  readonly styles: string;
  /** The `style` attributes of the page. */
  readonly inlineStyles: string;
  #lines: SourceLines | undefined;

  constructor(page: Page, artifacts: readonly Artifact[]) {
    this.page = page;
    this.visibility = new Visibility(page, artifacts);
    this.changes = changesOf(page, artifacts);
    this.styles = styleTextOf(page, artifacts);
    this.inlineStyles = page.elements
      .map((element) => (attribute(element, 'style') ?? '').slice(0, 20_000))
      .join('\n');
  }

  /** Returns an element as evidence: its place, and the beginning of its source. */
  evidenceOf({ sourceCodeLocation: place }: Element): CoverageEvidence {
    const start = place?.startOffset ?? 0;
    const shown = this.page.source.slice(start, place?.endOffset ?? start);
    const quote = cutAroundSecrets(shown, longestQuote).split(/\r?\n/, 1)[0] ?? '';
    return { file: this.page.file, line: this.page.lineAt(start), quote: quote.trim(), share: 1 };
  }

  /** Returns a place in the source as evidence. */
  evidenceAt(offset: number): CoverageEvidence {
    this.#lines ??= sourceLines(this.page.source);
    const { lineAt, quoteAt } = this.#lines;
    return { file: this.page.file, line: lineAt(offset), quote: quoteAt(offset), share: 1 };
  }
}

interface KnownView {
  readonly artifacts: readonly Artifact[];
  readonly view: PageView;
}

const views = new WeakMap<Page, KnownView>();

/** Returns the view of a page. It is built once for the same artifacts. */
export function viewOf(page: Page, artifacts: readonly Artifact[]): PageView {
  const known = views.get(page);
  if (known !== undefined && areSame(known.artifacts, artifacts)) return known.view;
  const view = new PageView(page, artifacts);
  views.set(page, { artifacts: artifacts.map((artifact) => ({ ...artifact })), view });
  return view;
}

function areSame(known: readonly Artifact[], given: readonly Artifact[]): boolean {
  return (
    known.length === given.length &&
    known.every(
      ({ path, content }, index) =>
        path === given[index]?.path && content === given[index]?.content,
    )
  );
}
