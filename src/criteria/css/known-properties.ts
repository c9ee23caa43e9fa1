import type { Artifacts } from '../../core/artifact.js';
import type { CriterionResult } from '../../core/criterion.js';
import { plural } from '../../core/plural.js';
import { nearestWord } from '../../text/schema-problems.js';
import {
  type ArtifactCriterion,
  artifactCriterion,
  type Found,
  shareResult,
} from '../artifact-criterion.js';
import { type Declared, declaredIn, foundIn } from './declared.js';
import { nothingRead } from './design-tokens.js';
import { aside, stylesheetsOf } from './stylesheet.js';

const suggestedFix = 'Correct the name of the property';
/** Properties that tools read, or that one browser once had. */
const others = new Set(['composes', 'color-adjust', 'font-smoothing', 'size', 'src']);

/**
 * Creates the criterion for names of properties. It knows those of the CSS specifications and of
 * browsers, as css-tree lists them. A name close to a known one is a mistake; another one is a
 * remark, because it may be newer than the list. Custom properties and names with the prefix of a
 * browser are left out.
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
