import {
  type ArtifactCriterion,
  artifactCriterion,
  asFinding,
  repair,
} from '../../../blocks/criteria/artifact-criterion.js';
import { everySheetUsesTokens, repairTokens } from '../../../blocks/criteria/css/design-tokens.js';
import { judgeResponsive } from '../../../blocks/criteria/css/responsive.js';
import { isStylesheet } from '../../../blocks/criteria/css/stylesheet.js';
import { isHtml, pagesOf } from '../../../blocks/criteria/html/page.js';
import { judgeNames, namedKinds } from '../../../blocks/criteria/html/rules/name-rules.js';
import { taskTextOf } from '../../../blocks/requirements/task-text.js';
import { artifactsOf } from '../../../core/artifact.js';
import type { RequirementCoverage } from '../../../core/coverage.js';
import type { CriterionResult } from '../../../core/criterion.js';
import type { AgentOutput, AgentRequest } from '../agent.js';
import type { ReviewContext, ReviewCriterion } from '../review-criterion.js';
import { BaseAgentReviewCriteria } from './base-agent-review-criteria.js';

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

const notAScreen = new Set(
  (
    'the a an this that these those each every all any some one single same other another current following next previous first last new existing web mobile desktop tablet responsive accessible modern simple clean ' +
    'full entire whole my our your their its his her per on in of for to and or with without by as is are be between multiple several two three four html css ui ux user users they we you it can could must should shall will would may might not ' +
    'small large big wide narrow touch split single-page page pages screen screens view views design designs mockup mockups support supports at from into across single multi component components library app application site website ' +
    'stylesheet prototype wireframe wireframes layout set list grid tree table card form forms button buttons feature features system tool solution interface product project create design build make add implement update write draw include includes show shows see open style review which when where only also then more most'
  ).split(' '),
);

const word = '[\\p{L}\\p{N}][\\p{L}\\p{N}_-]{0,60}';

const place =
  '(?:pages?|screens?|views?|mockups?)(?![\\p{L}\\p{N}_-]|\\s+(?:readers?|sizes?|widths?|resolutions?)\\b)';

const patterns: readonly RegExp[] = [
  new RegExp(`(${word})\\s+${place}`, 'giu'),
  new RegExp(`\\b(?:page|screen|view)s?\\s+for\\s+(?:(?:the|a|an|our|your)\\s+)?(${word})`, 'giu'),
  new RegExp(
    `\\b(?:create|design|build)\\s+(?:(?:the|a|an|our|your)\\s+)?(${word})(?=\\s+(?:forms?\\b|with\\b|for\\b|that\\b|and\\b|where\\b|to\\b|in\\b|using\\b)|\\s*(?:[.,;:!?)]|$))`,
    'gimu',
  ),
];

const listed = new RegExp(
  `(${word}(?:\\s{0,3},\\s{0,3}${word}){0,20},?\\s+(?:and|or|&)\\s+${word})\\s+${place}`,
  'giu',
);

/** Such as "the login page" or "a screen for billing"; in lower case, each once. */
export function screensIn(text: string): string[] {
  const found = patterns.flatMap((pattern) =>
    Array.from(text.matchAll(pattern), (match) => match[1] ?? ''),
  );
  const together = Array.from(text.matchAll(listed), (match) =>
    (match[1] ?? '')
      .split(/(?<!\s)\s*,\s*|(?<!\s)\s+(?:and|or|&)\s+/)
      .map((name) => name.replace(/^(?:and|or)\s+/, '')),
  ).flat();
  const names = [...together, ...found].map((name) =>
    name.toLowerCase().replace(/(?<![-_])[-_]+$/, ''),
  );
  return [
    ...new Set(
      names.filter((name) => name.length > 1 && !notAScreen.has(name) && !/^\d+$/.test(name)),
    ),
  ];
}

/** Whether an artifact's path names a screen: `sign-up` is in `mockups/SignUp.html`. */
export function pathNamesScreen(path: string, screen: string): boolean {
  const wanted = letters(screen);
  return wanted !== '' && letters(path).includes(wanted);
}

function letters(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}/]+/gu, '');
}
