import type { Requirement } from './requirement.js';
import { StepReader } from './steps.js';

const feature = /^\s*(?:Feature|Business Need|Ability|Funktionalität|Funktion|Fonctionnalité|Característica|Funcionalidade|Funzionalità|Functionaliteit)\s*:/iu;
const heading =
  /^\s*(Feature|Business Need|Ability|Rule|Background|Scenario(?: Outline| Template)?|Example|Funktionalität|Funktion|Regel|Grundlage|Hintergrund|Szenario(?:grundriss)?|Beispiel|Fonctionnalité|Règle|Contexte|Scénario|Plan du scénario|Exemple|Característica|Regla|Antecedentes|Escenario|Esquema del escenario|Ejemplo|Funcionalidade|Regra|Contexto|Cenário|Esquema do Cenário|Funzionalità|Regola|Scenario|Functionaliteit)\s*:\s*(.*)$/iu;
const examples = /^\s*(?:Examples|Scenarios|Beispiele|Exemples|Ejemplos|Exemplos|Esempi|Voorbeelden)\s*:/iu;
const top = /^(?:feature|business need|ability|funktion|fonctionnalit|caracter|funcionalidade|funzionalit|functionaliteit)/i;
const rule = /^(?:rule|regel|règle|regla|regra|regola)/i;

/** Whether a text is a feature file: its first line that is no tag, comment or blank names a feature. */
export function isGherkin(lines: readonly string[]): boolean {
  const first = lines.find((line) => line.trim() !== '' && !/^\s*[#@]/.test(line));
  return first !== undefined && feature.test(first);
}

/**
 * The outcomes that the scenarios of a feature file ask for (Then, and the Ands and Buts after it). What is given and done
 * before is no requirement, nor are doc strings, data tables, examples, tags and descriptions.
 */
export function gherkinRequirements(lines: readonly string[], shift = 0, above: readonly string[] = []): Requirement[] {
  const reader = new FeatureReader(above);
  for (const [index, source] of lines.entries()) reader.read(source, index + 1 + shift);
  return reader.found;
}

class FeatureReader {
  readonly found: Requirement[] = [];
  readonly #above: readonly string[];
  readonly #steps = new StepReader();
  #section: { readonly depth: number; readonly text: string }[] = [];
  #fence: string | undefined;
  #inSteps = false;

  constructor(above: readonly string[]) {
    this.#above = above;
  }

  read(source: string, line: number): void {
    const text = source.trim();
    if (this.#isQuoted(text) || text === '' || /^[#@|]/.test(text)) return;
    const head = heading.exec(source);
    if (head !== null) this.#enter(head[1] ?? '', head[2]?.trim() ?? '');
    else if (examples.test(source)) this.#inSteps = false;
    else if (this.#inSteps && this.#steps.read(text, true) === 'outcome') {
      this.found.push({ text, source: 'explicit', kind: 'step', strength: 'MUST', line, endLine: line, section: [...this.#above, ...this.#section.map((entry) => entry.text)] });
    }
  }

  /** Whether a line belongs to a doc string. */
  #isQuoted(text: string): boolean {
    const mark = /^(?:"""|```)/.exec(text)?.[0];
    if (this.#fence === undefined) this.#fence = mark;
    else if (text.startsWith(this.#fence)) this.#fence = undefined;
    else return true;
    return mark !== undefined;
  }

  #enter(keyword: string, name: string): void {
    const depth = depthOf(keyword);
    this.#section = [...this.#section.filter((entry) => entry.depth < depth), { depth, text: name === '' ? keyword : name }];
    this.#steps.reset();
    this.#inSteps = true;
  }
}

function depthOf(keyword: string): number {
  if (top.test(keyword)) return 0;
  return rule.test(keyword) ? 1 : 2;
}
