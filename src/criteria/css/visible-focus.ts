import type { Artifacts } from '../../core/artifact.js';
import type { CriterionResult } from '../../core/criterion.js';
import { plural } from '../../core/plural.js';
import { type ArtifactCriterion, artifactCriterion, shareResult } from '../artifact-criterion.js';
import { type Declared, declaredIn, foundIn, valueText } from './declared.js';
import { nothingRead } from './design-tokens.js';
import { aside, stylesheetsOf } from './stylesheet.js';

/** Properties that may show the focus in place of an outline. */
const marks =
  /^(?:outline|box-shadow|border|background|color$|text-decoration|filter|transform|opacity)/;

/**
 * Creates the criterion for outlines that are removed and replaced by nothing. People who use the
 * keyboard do not see where they are (WCAG 2.4.7). A rule for the focus that sets a border, a
 * shadow, a colour or an outline counts as a replacement, whatever it looks like.
 */
export function visibleFocus(): ArtifactCriterion {
  return artifactCriterion({
    id: 'css-focus',
    name: 'Visible focus',
    description: 'No rule removes the outline of the focus without another mark (WCAG 2.4.7)',
    severity: 'major',
    category: 'quality',
    version: 'css/focus/1',
    check: judgeFocus,
  });
}

async function judgeFocus(output: Artifacts): Promise<CriterionResult> {
  const read = await stylesheetsOf(output);
  if (read.sheets.length === 0) return nothingRead(read);
  const declared = declaredIn(read.sheets);
  const removed = declared.filter(removesOutline).filter(isForFocus);
  const replaced = declared.some(
    (each) =>
      /:focus(?:-visible|-within)?(?![\w-])/i.test(selectorOf(each)) &&
      marks.test(each.property) &&
      !removesOutline(each),
  );
  const findings = replaced
    ? []
    : removed.map((each) =>
        foundIn(each.sheet, each.declaration, {
          description: 'the outline of the focus is removed, and nothing replaces it',
          suggestedFix: 'Remove the declaration, or add a :focus-visible rule with a clear mark',
          ...(!isPlain(each) && { severity: 'minor' }),
        }),
      );
  return shareResult({
    judged: declared.length,
    findings,
    passed: findings.every(({ severity }) => severity === 'minor'),
    details: `${plural(findings.length, 'outline')} removed without another mark${aside(read)}`,
    suggestedFix: 'Show where the focus is',
  });
}

function removesOutline(each: Declared): boolean {
  return (
    /^outline(?:-style|-width)?$/.test(each.property) &&
    /^(?:none|0(?:px|r?em)?)(?:\s+(?:none|0(?:px|r?em)?))*$/i.test(valueText(each))
  );
}

/** A rule for `:focus:not(:focus-visible)` hides the outline from the mouse alone. */
function isForFocus(each: Declared): boolean {
  return !/:not\(\s*:focus-visible|\[tabindex=["']?-1/i.test(selectorOf(each));
}

/**
 * Returns whether a rule names the focus, or elements that get it. What only a class names may be an
 * editor with a cursor of its own.
 */
function isPlain(each: Declared): boolean {
  return /:focus|(?:^|[\s,>+~])(?:\*|a|button|input|select|textarea|summary)(?=[\s,:.[#]|$)/i.test(
    selectorOf(each),
  );
}

function selectorOf({ sheet, rule }: Declared): string {
  return sheet.parser.generate(rule.prelude);
}
