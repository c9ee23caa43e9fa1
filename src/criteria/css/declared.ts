import type { CssNode, Declaration, Rule } from 'css-tree';
import type { Found } from '../artifact-criterion.js';
import type { Stylesheet } from './stylesheet.js';

/** One declaration of a rule, with its place. */
export interface Declared {
  readonly sheet: Stylesheet;
  readonly rule: Rule;
  readonly declaration: Declaration;
  /** The name in lower case; a custom property keeps its letters. */
  readonly property: string;
}

/** Returns the declarations of all rules. Descriptors of at-rules, such as `src`, are left out. */
export function declaredIn(sheets: readonly Stylesheet[]): Declared[] {
  return sheets.flatMap((sheet) => {
    const declared: Declared[] = [];
    sheet.parser.walk(sheet.root, {
      visit: 'Rule',
      enter: (rule) => {
        for (const declaration of rule.block.children.toArray())
          if (declaration.type === 'Declaration')
            declared.push({ sheet, rule, declaration, property: nameOf(declaration) });
      },
    });
    return declared;
  });
}

function nameOf({ property }: Declaration): string {
  return property.startsWith('--') ? property : property.toLowerCase();
}

export function valueText({ sheet, declaration }: Declared): string {
  return sheet.parser.generate(declaration.value).trim();
}

/** Returns a finding at a part of a stylesheet. */
export function foundIn(
  { file, source }: Stylesheet,
  { loc }: CssNode,
  about: Pick<Found, 'description' | 'suggestedFix' | 'severity'>,
): Found {
  if (loc === undefined || loc === null) return { ...about, file };
  const end = Math.min(loc.end.offset, loc.start.offset + 200);
  return {
    ...about,
    file,
    line: loc.start.line,
    evidence: source.slice(loc.start.offset, end).trimEnd(),
  };
}
