import { artifactsOf } from '../../core/artifact.js';
import type { RequirementCoverage } from '../../core/coverage.js';
import type { CriterionResult } from '../../core/criterion.js';
import {
  type ArtifactCriterion,
  artifactCriterion,
  asFinding,
  repair,
} from '../../criteria/artifact-criterion.js';
import { everySheetUsesTokens, repairTokens } from '../../criteria/css/design-tokens.js';
import { judgeResponsive } from '../../criteria/css/responsive.js';
import { isStylesheet } from '../../criteria/css/stylesheet.js';
import { isHtml, pagesOf } from '../../criteria/html/page.js';
import { judgeNames, namedKinds } from '../../criteria/html/rules/name-rules.js';
import { taskTextOf } from '../../requirements/task-text.js';
import type { AgentOutput, AgentRequest } from '../agent.js';
import type { ReviewContext, ReviewCriterion } from '../review-criterion.js';
import { BaseAgentReviewCriteria } from './base-agent-review-criteria.js';
import { pathNamesScreen, screensIn } from './screens.js';

const enoughNamed = 0.8;
const interactive = namedKinds.filter(({ id }) =>
  /^(?:button|image-button|link|field|menuitem|summary)-name$/.test(id),
);

/**
 * The criteria for a UI designer's output: screens, design tokens, accessibility, responsive
 * layout.
 */
export class UIDesignerReviewCriteria extends BaseAgentReviewCriteria {
  agentId = 'ui_designer';

  criteria: ReviewCriterion[] = [
    allScreensCreated(),
    designTokensApplied(),
    accessibilityAttributes(),
    responsiveDesign(),
  ];

  protected override inferImplicitRequirements(request: AgentRequest): string[] {
    const text = this.taskText(request);
    return implied
      .filter(({ when }) => when.test(text))
      .flatMap(({ requirements }) => requirements);
  }

  /** Reads only mockups and stylesheets. The words of the requirement may be anywhere in them. */
  override async checkRequirementCovered(
    requirement: string,
    output: AgentOutput,
    _context: ReviewContext,
  ): Promise<RequirementCoverage> {
    const sources = artifactsOf(output).filter(
      (artifact) => isMockup(artifact) || isStylesheet(artifact),
    );
    return this.coverageIn(
      requirement,
      sources.map(({ path, content = '' }) => ({ text: content, file: path })),
      { spread: Number.POSITIVE_INFINITY },
    );
  }
}

const implied: readonly { readonly when: RegExp; readonly requirements: readonly string[] }[] = [
  {
    when: /\bforms?\b/i,
    requirements: ['Form validation states (error, success)', 'Form submission feedback'],
  },
  {
    when: /\b(?:log[- ]?ins?|sign[- ]?ins?)\b/i,
    requirements: ['Password visibility toggle', 'Forgot password link', 'Error message display'],
  },
  {
    when: /\bdashboards?\b/i,
    requirements: ['Navigation menu', 'User profile area', 'Loading states'],
  },
];

function isMockup(artifact: {
  readonly type: string;
  readonly path: string;
  readonly content?: string | undefined;
}): boolean {
  return artifact.type === 'mockup' || isHtml(artifact);
}

function allScreensCreated(): ArtifactCriterion {
  return artifactCriterion({
    id: 'all_screens_created',
    name: 'All Screens Created',
    description: 'Every requested screen has a mockup',
    severity: 'critical',
    category: 'missing',
    version: 'ui/screens/1',
    check: (output, task) => judgeScreens(output, screensIn(taskTextOf(task))),
  });
}

function judgeScreens(output: AgentOutput, requested: readonly string[]): CriterionResult {
  const mockups = artifactsOf(output).filter(isMockup);
  if (mockups.length === 0 && requested.length === 0)
    return {
      passed: false,
      score: 0,
      details: 'No mockup was found',
      suggestedFix: 'Create the mockups that the task asks for',
      estimatedEffort: 'large',
    };
  const missing = requested.filter(
    (screen) => !mockups.some((mockup) => pathNamesScreen(mockup.path, screen)),
  );
  const estimatedEffort = missing.length > 2 ? 'large' : 'medium';
  if (missing.length === 0)
    return {
      passed: true,
      score: 1,
      details:
        requested.length === 0
          ? 'The task names no screen'
          : `All ${requested.length} screens have a mockup`,
      estimatedEffort,
    };
  return {
    passed: false,
    score: 1 - missing.length / requested.length,
    details: `Missing screens: ${missing.join(', ')}`,
    suggestedFix: `Create mockups for: ${missing.join(', ')}`,
    estimatedEffort,
  };
}

function designTokensApplied(): ArtifactCriterion {
  return artifactCriterion({
    id: 'design_tokens_applied',
    name: 'Design Tokens Applied',
    description: 'Every stylesheet uses design tokens',
    severity: 'major',
    category: 'quality',
    version: 'ui/tokens/2',
    check: everySheetUsesTokens,
    fix: repairTokens,
  });
}

function accessibilityAttributes(): ArtifactCriterion {
  return artifactCriterion({
    id: 'accessibility_attributes',
    name: 'Accessibility Attributes',
    description: 'Every interactive element has an accessible name',
    severity: 'major',
    category: 'quality',
    version: 'ui/accessibility/2',
    check: judgeAccessibility,
    fix: async (output, gap) =>
      repair(output, gap, judgeNames((await pagesOf(output)).pages, interactive).findings),
  });
}

async function judgeAccessibility(output: AgentOutput): Promise<CriterionResult> {
  const { pages, unreadable } = await pagesOf(output);
  if (pages.length === 0 && unreadable.length === 0)
    return { passed: false, score: 0, details: '', skipped: 'no HTML mockup was found' };
  const { judged, findings } = judgeNames(pages, interactive);
  const score = judged === 0 ? 1 : (judged - findings.length) / judged;
  const passed = score >= enoughNamed && unreadable.length === 0;
  const details =
    unreadable.length > 0
      ? `Could not read ${unreadable.map(({ file }) => file).join(', ')}`
      : `${judged - findings.length} of ${judged} interactive elements have a name`;
  return {
    passed,
    score: unreadable.length > 0 ? 0 : score,
    details,
    ...(!passed && {
      suggestedFix: 'Label every field, and give every button and link a text or an aria-label',
    }),
    estimatedEffort: 'small',
    ...(findings.length > 0 && { findings: findings.map(asFinding) }),
  };
}

function responsiveDesign(): ArtifactCriterion {
  return artifactCriterion({
    id: 'responsive_design',
    name: 'Responsive Design',
    description: 'The layout adapts to the width of the screen',
    severity: 'major',
    category: 'incomplete',
    version: 'ui/responsive/2',
    check: async (output) => {
      const result = await judgeResponsive(output);
      return result.skipped !== 'no stylesheet was found'
        ? result
        : {
            passed: false,
            score: 0,
            details: 'No stylesheet was found',
            suggestedFix: 'Write a stylesheet with breakpoints',
            estimatedEffort: 'medium',
          };
    },
  });
}
