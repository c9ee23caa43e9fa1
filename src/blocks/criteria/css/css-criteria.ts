import { type Artifacts, artifactsOf } from '../../../core/artifact.js';
import type { CriterionResult } from '../../../core/criterion.js';
import { checkKeys, checkRange } from '../../../core/options.js';
import { plural } from '../../../core/plural.js';
import { nearestWord } from '../../../core/text/schema-problems.js';
import {
  type ArtifactCriterion,
  artifactCriterion,
  type Found,
  shareResult,
  skipped,
} from '../artifact-criterion.js';
import { emptyContent } from '../files/content-rules.js';
import { isPage } from '../files/file-kind.js';
import { designTokens, nothingRead } from './design-tokens.js';
import { responsive } from './responsive.js';
import {
  aside,
  type Declared,
  declaredIn,
  foundIn,
  isStylesheet,
  stylesheetsOf,
  valueText,
} from './stylesheet.js';

export interface CssOptions {
  /** The share of colours, font sizes and spacing that must use tokens, 0 to 1. @default 0.8 */
  readonly tokenShare?: number | undefined;
}

/**
 * Creates the criteria for stylesheets: design tokens, responsive layout, known properties, defined
 * custom properties and a visible focus. Unreadable stylesheets are skipped; the criteria fail only
 * if none can be read.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const reviewers = cssCriteria({ tokenShare: 0.6 });
 * const pipeline = definePipeline({ produce: designPage, reviewers });
 * ```
 */
export function cssCriteria(options: CssOptions = {}): ArtifactCriterion[] {
  checkKeys('cssCriteria', options, ['tokenShare']);
  const { tokenShare = 0.8 } = options;
  checkRange('tokenShare', tokenShare);
  return [
    designTokens(tokenShare),
    responsive(),
    knownProperties(),
    definedVariables(),
    visibleFocus(),
    emptyContent('css', isStylesheet),
  ];
}

const suggestedFix = 'Correct the name of the property';

/** Properties that tools read, or that one browser once had. */
const others = new Set(['composes', 'color-adjust', 'font-smoothing', 'size', 'src']);

/**
 * Knows the properties of the CSS specifications and of browsers, as css-tree lists them. A name
 * close to a known one is a mistake; another one is a remark, because it may be newer than the
 * list. Custom properties and names with the prefix of a browser are left out.
 */
export function knownProperties(): ArtifactCriterion {
  return artifactCriterion({
    id: 'css-properties',
    name: 'Known properties',
    description: 'Every declaration names a property that browsers know',
    severity: 'major',
    category: 'incorrect',
    version: 'css/properties/1',
    check: judgeProperties,
  });
}

async function judgeProperties(output: Artifacts): Promise<CriterionResult> {
  const read = await stylesheetsOf(output);
  if (read.sheets.length === 0) return nothingRead(read);
  const { default: data } = await import('css-tree/dist/data');
  const known = Object.keys(data.properties);
  const names = new Set([...known, ...others]);
  const declared = declaredIn(read.sheets).filter(({ property }) => /^[a-z]/.test(property));
  const findings = declared
    .filter(({ property }) => !names.has(property))
    .map((each) => unknownAt(each, nearestWord(each.property, known)));
  const wrong = findings.filter(({ severity }) => severity !== 'minor').length;
  return shareResult({
    judged: declared.length,
    findings,
    passed: wrong === 0,
    details: `${plural(findings.length, 'unknown property', 'unknown properties')} in ${plural(declared.length, 'declaration')}${aside(read)}`,
    suggestedFix,
  });
}

function unknownAt({ sheet, declaration, property }: Declared, near: string | undefined): Found {
  return foundIn(sheet, declaration, {
    description: `browsers know no property "${property.slice(0, 60)}"`,
    suggestedFix: near === undefined ? 'Remove it, or use a property' : `Write "${near}"`,
    ...(near === undefined && { severity: 'minor' }),
  });
}

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

/**
 * Judges only an output with a page that loads no stylesheet and no script from elsewhere: these
 * may define the rest.
 */
function definedVariables(): ArtifactCriterion {
  return artifactCriterion({
    id: 'css-variables',
    name: 'Defined custom properties',
    description: 'Every var() without a fallback names a custom property that is defined',
    severity: 'major',
    category: 'incorrect',
    version: 'css/variables/1',
    check: judgeVariables,
  });
}

async function judgeVariables(output: Artifacts): Promise<CriterionResult> {
  const read = await stylesheetsOf(output);
  if (read.sheets.length === 0) return nothingRead(read);
  const uses = declaredIn(read.sheets).flatMap(usesIn);
  if (uses.length === 0) return skipped('no custom property is used');
  if (!artifactsOf(output).some(isPage)) return skipped('not checked: a page may define them');
  const elsewhere = loadedFromElsewhere(output);
  if (elsewhere !== undefined) return skipped(`not checked: ${elsewhere} may define them`);
  const named = namesIn(output);
  const findings = uses
    .filter(({ name, hasFallback }) => !hasFallback && !named.has(name))
    .map(undefinedAt);
  return shareResult({
    judged: uses.length,
    findings,
    passed: findings.length === 0,
    details: `${plural(findings.length, 'undefined custom property', 'undefined custom properties')} in ${plural(uses.length, 'use')}${aside(read)}`,
    suggestedFix: 'Define the custom properties, or correct their names',
  });
}

interface Use {
  readonly at: Declared;
  readonly name: string;
  readonly hasFallback: boolean;
}

function usesIn(at: Declared): Use[] {
  return Array.from(
    valueText(at).matchAll(/(?<![\w-])var\(\s{0,20}(--[^\s,()]{1,200})\s{0,20}([,)])/gi),
    ([, name = '', end]) => ({ at, name, hasFallback: end === ',' }),
  );
}

function undefinedAt({ at: { sheet, declaration }, name }: Use): Found {
  return foundIn(sheet, declaration, {
    description: `no file defines ${name.slice(0, 60)}, so ${declaration.property} keeps its initial or inherited value`,
    suggestedFix: `Define ${name.slice(0, 60)}, or give var() a fallback`,
  });
}

/** Set in a rule, a style attribute, or a script. */
function namesIn(output: Artifacts): ReadonlySet<string> {
  return new Set(
    artifactsOf(output).flatMap(({ content = '' }) =>
      Array.from(
        content.matchAll(
          /(--[\w-]{1,200})(?=\s{0,20}(?::|["'`]))|@property\s{1,20}(--[\w-]{1,200})/g,
        ),
        ([, set = '', registered = '']) => set || registered,
      ),
    ),
  );
}

/** A stylesheet or package that the output does not contain. */
function loadedFromElsewhere(output: Artifacts): string | undefined {
  const artifacts = artifactsOf(output);
  const names = artifacts.map(({ path }) => path.replace(/^.*\//, ''));
  const loaded = artifacts.flatMap(({ content = '' }) => [
    ...Array.from(content.matchAll(/@import\s{1,20}(?:url\()?\s{0,20}["']?([^"')\s;]{1,500})/gi)),
    ...Array.from(
      content.matchAll(
        /<link\b(?=[^<>]{0,1000}\bstylesheet)[^<>]{0,1000}?\bhref\s{0,5}=\s{0,5}["']?([^"'\s<>]{1,500})/gi,
      ),
    ),
    ...Array.from(
      content.matchAll(/<script\b[^<>]{0,1000}?\bsrc\s{0,5}=\s{0,5}["']?([^"'\s<>]{1,500})/gi),
    ),
    ...Array.from(content.matchAll(/@(tailwind|plugin|config)\s/g)),
  ]);
  return loaded
    .map(([, target = '']) => target.replace(/[?#].*$/s, ''))
    .find(
      (target) => !names.includes(target.replace(/^.*\//, '')) || /^(?:https?:)?\/\//.test(target),
    );
}
