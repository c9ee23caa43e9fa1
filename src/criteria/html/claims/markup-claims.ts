import { isNone } from '../../../requirements/claim/quantity.js';
import type { ClaimCheck } from '../../deciders/claim-check.js';
import { numberDecision } from '../../deciders/decision.js';
import { mapInTurns } from '../../event-turns.js';
import { attribute, type Element } from '../dom.js';
import { isPlaceholder } from '../model/placeholders.js';
import { headingOrder } from '../rules/heading-order.js';
import { pagesFor } from './claimed-pages.js';
import { has, tags } from './element-tests.js';
import { isRunning, runsScript } from './page-scripts.js';
import { type PageView, viewOf } from './page-view.js';

/** The elements of a page that surely are what a claim forbids, and whether there may be more. */
interface SeenMarkup {
  readonly sure: readonly Element[];
  readonly mayBeMore: boolean;
}

const runs = (element: Element): boolean => element.attrs.some(runsScript);
const isInlineScript = (element: Element): boolean =>
  isRunning(element) && attribute(element, 'src') === undefined;
const handles = (element: Element): boolean =>
  element.attrs.some(({ name }) => /^on[a-z]{3,}$/.test(name));

/** Decides whether pages have inline styles. A `<style>` element may be one. */
export const inlineStyleClaims = markupCheck('html-inline-styles', /^inline-style$/, (view) => ({
  sure: view.page.elements.filter((element) => has(element, 'style')),
  mayBeMore: view.changes.adds || view.page.elements.some(tags('style')),
}));

/** Decides whether pages have scripts, inline scripts, or attributes with scripts. */
export const scriptClaims: readonly ClaimCheck[] = [
  markupCheck('html-scripts', /^script$/, ({ page, changes }) => ({
    sure: page.elements.filter((element) => isRunning(element)),
    mayBeMore:
      changes.adds ||
      page.elements.some((element) => element.tagName === 'script' || runs(element)),
  })),
  markupCheck('html-inline-scripts', /^inline-script$/, ({ page, changes }) => ({
    sure: page.elements.filter(isInlineScript),
    mayBeMore:
      changes.adds ||
      page.elements.some(
        (element) => (element.tagName === 'script' && !has(element, 'src')) || runs(element),
      ),
  })),
  markupCheck('html-inline-handlers', /^inline-handler$/, ({ page, changes }) => ({
    sure: page.elements.filter(handles),
    mayBeMore: changes.adds || page.elements.some(runs),
  })),
];

/** Decides whether ids are unique. */
export const duplicateIdClaims = markupCheck(
  'duplicate-ids',
  /^duplicate-id$/,
  ({ page, changes }) => {
    const repeated = [...page.byId].filter(([, elements]) => elements.length > 1);
    return {
      sure: repeated
        .filter(([id]) => !isPlaceholder(id))
        .flatMap(([, elements]) => elements.slice(1)),
      mayBeMore: changes.adds,
    };
  },
);

/** Decides whether headings skip a level. */
export const headingOrderClaims = markupCheck(
  'heading-order',
  /^skipped-heading$/,
  ({ page, changes }) => {
    const { findings, judged } = headingOrder.judge({
      pages: [page],
      everyPage: [page],
      others: [],
      artifacts: [],
      files: undefined,
      language: undefined,
    });
    const lines = new Set(findings.map(({ line }) => line));
    return {
      sure: page.elements.filter(
        (element) =>
          /^h[1-6]$/.test(element.tagName) &&
          lines.has(page.lineAt(element.sourceCodeLocation?.startOffset ?? 0)),
      ),
      mayBeMore: changes.adds || judged === 0 || findings.length > 0,
    };
  },
);

function markupCheck(id: string, kinds: RegExp, look: (view: PageView) => SeenMarkup): ClaimCheck {
  return {
    id,
    version: 1,
    decide: async (claim, output) => {
      if (claim.about !== 'number' || !kinds.test(claim.kind) || claim.place.part !== undefined)
        return undefined;
      // files beside the pages may be or contain scripts, too
      if (claim.kind === 'script' && isNone(claim.quantity) && hasScriptFiles(output))
        return undefined;
      const found = await pagesFor(claim.place, output, true);
      if (found === undefined) return undefined;
      const seen = await mapInTurns(found.pages, (page) => {
        const view = viewOf(page, found.artifacts);
        const { sure, mayBeMore } = look(view);
        return {
          where: page.file,
          least: view.changes.removes && claim.kind === 'duplicate-id' ? 0 : sure.length,
          most: mayBeMore ? Number.POSITIVE_INFINITY : sure.length,
          evidence: sure.slice(0, 5).map((element) => view.evidenceOf(element)),
        };
      });
      return numberDecision(claim, seen);
    },
  };
}

function hasScriptFiles({ artifacts }: Parameters<ClaimCheck['decide']>[1]): boolean {
  return artifacts.some(({ path }) => /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/i.test(path));
}
