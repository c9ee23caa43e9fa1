import { type Artifacts, artifactsOf } from '../../../core/artifact.js';
import type { CriterionResult } from '../../../core/criterion.js';
import { plural } from '../../../core/plural.js';
import {
  type ArtifactCriterion,
  artifactCriterion,
  type Found,
  shareResult,
} from '../artifact-criterion.js';
import { isPage } from '../files/file-kind.js';
import { nothingRead } from './design-tokens.js';
import {
  aside,
  type Declared,
  declaredIn,
  foundIn,
  stylesheetsOf,
  valueText,
} from './stylesheet.js';

/**
 * Judges only an output with a page that loads no stylesheet and no script from elsewhere: these
 * may define the rest.
 */
export function definedVariables(): ArtifactCriterion {
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

function skipped(reason: string): CriterionResult {
  return { passed: false, score: 0, details: '', skipped: reason };
}
