import type { Artifacts } from '../../../core/artifact.js';
import type { CoverageEvidence } from '../../../core/coverage.js';
import type { RequirementDecision } from '../../../core/criterion.js';
import { isReviewError } from '../../../core/errors.js';
import type { Claim, LookClaim, NumberClaim } from '../../../requirements/claim/claim.js';
import { fulfils } from '../../../requirements/claim/quantity.js';
import type { ClaimCheck } from '../../deciders/claim-check.js';
import { numberDecision, type SeenNumber } from '../../deciders/decision.js';
import { pagesFor } from '../../html/claims/claimed-pages.js';
import { viewOf } from '../../html/claims/page-view.js';
import type { Page } from '../../html/dom.js';
import type { VisitSettings } from '../page-options.js';
import { type PageScope, pageScope } from '../page-scope.js';
import type { PageVisit } from '../page-visit.js';
import { sourceElement } from '../source-place.js';
import { visitOnce } from '../visit-once.js';
import { kindSelectors } from './kind-selectors.js';
import { lookVerdict } from './look-decisions.js';
import type { ShownElement } from './page-facts.js';
import { numberOf } from './targets.js';

const version = 1;
const wholePages = { files: 'pages', over: 'same' } as const;

/** Creates the check that decides claims by pages as a browser shows them. */
export function lookClaims(settings: VisitSettings): ClaimCheck {
  return {
    id: 'page-look',
    version: `${version}/${settings.shownBy}/${settings.scripts}`,
    decide: async (claim, output) => {
      if (!isKnown(claim)) return undefined;
      const place = claim.about === 'look' ? wholePages : claim.place;
      const visits = await visitsFor(place, output, settings);
      if (visits === undefined) return undefined;
      return claim.about === 'look' ? decided(claim, visits) : counted(claim, visits);
    },
  };
}

function isKnown(claim: Claim): claim is LookClaim | NumberClaim {
  if (claim.about === 'look') return true;
  if (claim.about !== 'number' || claim.partly === true || claim.place.part !== undefined)
    return false;
  return claim.kind === 'text' ? claim.text !== undefined : claim.kind in kindSelectors.sure;
}

interface Visited {
  readonly visit: PageVisit;
  /** Returns some elements as evidence, if the source has them. */
  readonly evidenceOf: (elements: readonly ShownElement[]) => readonly CoverageEvidence[];
}

function evidenceIn(
  page: Page,
  { artifacts }: PageScope,
  elements: readonly ShownElement[],
): readonly CoverageEvidence[] {
  return elements.slice(0, 3).flatMap(({ place }) => {
    const element = sourceElement(page, place);
    return element === undefined ? [] : [viewOf(page, artifacts).evidenceOf(element)];
  });
}

/** Returns the visits of the pages that a claim may be about; undefined if one fails. */
async function visitsFor(
  place: NumberClaim['place'],
  output: Artifacts,
  settings: VisitSettings,
): Promise<readonly Visited[] | undefined> {
  const chosen = await pagesFor(place, output, false);
  if (chosen === undefined || chosen.pages.length > settings.maxPages) return undefined;
  const scope = pageScope(output, '');
  try {
    return await Promise.all(
      chosen.pages.map(async (page) => ({
        visit: await visitOnce(page, scope, settings),
        evidenceOf: (elements) => evidenceIn(page, scope, elements),
      })),
    );
  } catch (error) {
    if (isReviewError(error) && /^(?:browser|peer)_/.test(error.code)) return undefined;
    throw error;
  }
}

/** Several pages must agree. One that breaks what all text or every window needs is enough. */
function decided(claim: LookClaim, visits: readonly Visited[]): RequirementDecision | undefined {
  const verdicts = visits.map((visited) => ({ ...visited, ...lookVerdict(claim, visited.visit) }));
  const each = claim.look === 'contrast' || claim.look === 'width';
  const violated = verdicts.find(({ satisfied }) => satisfied === false);
  const [first] = verdicts;
  const isSame = verdicts.every(({ satisfied }) => satisfied === first?.satisfied);
  const chosen = each && violated !== undefined ? violated : isSame ? first : undefined;
  if (chosen?.satisfied === undefined) return undefined;
  const { visit, satisfied, why, shown = [], evidenceOf } = chosen;
  return {
    satisfied,
    explanation: `as ${visit.browser} shows ${visit.file}: ${why}`,
    evidence: evidenceOf(shown),
  };
}

/** Decides how many things of a kind people see. Both windows must say the same. */
function counted(claim: NumberClaim, visits: readonly Visited[]): RequirementDecision | undefined {
  const seen: SeenNumber[] = [];
  for (const {
    visit: { file, facts },
    evidenceOf,
  } of visits) {
    if (facts === undefined || facts.unclear !== undefined) return undefined;
    if (!facts.wide.whole || !facts.narrow.whole) return undefined;
    const [wide, narrow] = [facts.wide, facts.narrow].map((view) => numberOf(view, claim));
    if (wide === undefined || narrow === undefined) return undefined;
    if (fulfils(claim.quantity, wide) !== fulfils(claim.quantity, narrow)) return undefined;
    const { least, most, shown } = wide;
    seen.push({
      where: file,
      least,
      most,
      evidence: evidenceOf(shown),
    });
  }
  return numberDecision(claim, seen);
}
