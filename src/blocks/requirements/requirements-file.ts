import type { Document, LineCounter, YAMLMap } from 'yaml';
import { ReviewLoopError } from '../../core/errors.js';
import { deepestData, nearestWord, nestsTooDeeply } from '../../core/text/schema-problems.js';
import { readTextFile } from '../../node/files.js';
import { requirementErrors } from './errors.js';
import { judgedRequirements, type ListedRequirement } from './requirement-list.js';
import type { RequirementStrategy } from './strategy.js';
import { statedStrength } from './strength.js';

interface RequirementsFile {
  readonly task: string;
  readonly digest: string;
  readonly requirements: readonly ListedRequirement[];
}

const strengths = ['MUST', 'SHOULD', 'MAY', 'OUT'] as const;

const topKeys = ['version', 'task', 'digest', 'requirements'];

const keys = ['id', 'text', 'strength', 'line', 'sentence', 'whole'];

const mostRequirements = 5000;

const longestText = 4000;

/** @param shown - The name of the file in messages. */
export async function parseRequirementsFile(
  text: string,
  shown: string,
): Promise<RequirementsFile> {
  return new FileReader(await import('yaml'), shown).read(text);
}

type Yaml = typeof import('yaml');

class FileReader {
  readonly #yaml: Yaml;
  readonly #lines: LineCounter;
  readonly #shown: string;

  constructor(yaml: Yaml, shown: string) {
    this.#yaml = yaml;
    this.#lines = new yaml.LineCounter();
    this.#shown = shown;
  }

  read(text: string): RequirementsFile {
    if (nestsTooDeeply(text)) throw this.#refused(`it is nested deeper than ${deepestData} levels`);
    const document = this.#parsed(text);
    const [error] = document.errors;
    if (error !== undefined)
      throw this.#refused(error.message.split('\n')[0] ?? 'it is not YAML', error.pos[0]);
    const { contents } = document;
    if (!this.#yaml.isMap(contents))
      throw this.#refused('expected the keys version, task, digest and requirements');
    const values = this.#valuesOf(contents, topKeys);
    const version = this.#textIn(values, 'version');
    if (version !== '1')
      throw this.#refused(
        `version ${version ?? '(missing)'} is not known; this program reads version 1`,
        values.get('version'),
      );
    const list = values.get('requirements');
    if (!this.#yaml.isSeq(list)) throw this.#refused('`requirements` is not a list', list);
    if (list.items.length > mostRequirements)
      throw this.#refused(`it lists more than ${mostRequirements} requirements`, list);
    const requirements = list.items.map((item) => this.#entry(item));
    this.#checkUnique(list.items, requirements);
    if (requirements.every(({ strength }) => strength === 'OUT'))
      throw this.#refused('it lists no requirement to judge', list);
    return {
      task: this.#textIn(values, 'task') ?? '',
      digest: this.#textIn(values, 'digest') ?? '',
      requirements,
    };
  }

  #parsed(text: string): Document {
    try {
      // every scalar is text: a requirement may be "404" or "yes"
      return this.#yaml.parseDocument(text, {
        ...{ lineCounter: this.#lines, schema: 'failsafe' },
        // a picture of the place of each error, and a look at all keys for each key, are quadratic
        ...{ prettyErrors: false, uniqueKeys: false },
      });
    } catch (cause) {
      throw refused(this.#shown, 'it is not YAML', { cause });
    }
  }

  #entry(item: unknown): ListedRequirement {
    if (!this.#yaml.isMap(item))
      throw this.#refused('expected a requirement with `id` and `text`', item);
    const values = this.#valuesOf(item, keys);
    const id = this.#idIn(values, item);
    const text = this.#textIn(values, 'text')?.trim() ?? '';
    if (text === '') throw this.#refused(`${id} has no \`text\``, values.get('text') ?? item);
    if (text.length > longestText)
      throw this.#refused(`the text of ${id} is longer than ${longestText} characters`, item);
    const line = this.#textIn(values, 'line');
    if (line !== undefined && !/^[1-9]\d{0,8}$/.test(line))
      throw this.#refused(`\`line\` of ${id} must be a whole number from 1`, values.get('line'));
    const sentence = this.#textIn(values, 'sentence');
    return {
      id,
      text,
      strength: this.#strengthIn(values, id) ?? statedStrength(text) ?? 'SHOULD',
      ...(line !== undefined && { line: Number(line) }),
      ...(sentence !== undefined && { sentence }),
      ...(this.#textIn(values, 'whole') === 'true' && { whole: true }),
    };
  }

  #idIn(values: ReadonlyMap<string, unknown>, item: unknown): string {
    const id = this.#textIn(values, 'id')?.trim() ?? '';
    if (/^[A-Za-z][\w.-]{0,39}$/.test(id)) return id;
    throw this.#refused(
      '`id` must be a letter and then letters, digits, ".", "-" or "_", such as R7',
      values.get('id') ?? item,
    );
  }

  #strengthIn(
    values: ReadonlyMap<string, unknown>,
    id: string,
  ): ListedRequirement['strength'] | undefined {
    const given = this.#textIn(values, 'strength');
    if (given === undefined) return undefined;
    const strength = strengths.find((known) => known === given.toUpperCase());
    if (strength !== undefined) return strength;
    throw this.#refused(
      `\`strength\` of ${id} is "${given}"; expected ${strengths.join(', ')}`,
      values.get('strength'),
    );
  }

  #checkUnique(items: readonly unknown[], list: readonly ListedRequirement[]): void {
    const taken = new Map<string, string>();
    for (const [index, { id, text }] of list.entries()) {
      for (const [key, name] of [
        [id, `the id ${id}`],
        [`text: ${text}`, `the text of ${id}`],
      ] as const) {
        const first = taken.get(key);
        if (first !== undefined)
          throw this.#refused(`${name} is used twice; the first is in line ${first}`, items[index]);
        taken.set(key, String(this.#lineOf(items[index])));
      }
    }
  }

  /** Returns the values of a map by key. Keys must be known. */
  #valuesOf(map: YAMLMap, known: readonly string[]): Map<string, unknown> {
    const values = new Map<string, unknown>();
    for (const { key, value } of map.items) {
      const name = this.#yaml.isScalar(key) ? String(key.value) : '';
      if (!known.includes(name)) {
        const near = nearestWord(name, known);
        const advice =
          near === undefined ? `the keys are ${known.join(', ')}` : `the nearest key is ${near}`;
        throw this.#refused(`unknown key "${name.slice(0, 60)}"; ${advice}`, key);
      }
      if (values.has(name)) throw this.#refused(`the key ${name} is used twice`, key);
      values.set(name, value);
    }
    return values;
  }

  #textIn(values: ReadonlyMap<string, unknown>, key: string): string | undefined {
    const node = values.get(key);
    if (node === undefined || node === null) return undefined;
    if (!this.#yaml.isScalar(node)) throw this.#refused(`\`${key}\` is not a text`, node);
    const text = String(node.value ?? '').replace(/\s+/g, ' ');
    return text.trim() === '' && key !== 'text' ? undefined : text;
  }

  #lineOf(place: unknown): number {
    const offset = this.#yaml.isNode(place) ? place.range?.[0] : place;
    return typeof offset === 'number' ? Math.max(1, this.#lines.linePos(offset).line) : 1;
  }

  #refused(what: string, place?: unknown): ReviewLoopError {
    return refused(this.#shown, what, { line: this.#lineOf(place) });
  }
}

function refused(
  value: string,
  what: string,
  { line = 1, ...more }: { readonly line?: number; readonly cause?: unknown } = {},
): ReviewLoopError {
  const where = `${value}:${line}: ${what}`;
  return new ReviewLoopError(requirementErrors.requirements_invalid, where, { ...more, value });
}

const largest = 2_000_000;

/** @param shown - The name of the file in messages. @default its path */
export async function readRequirementsFile(
  path: string,
  shown = path,
): Promise<RequirementsFile & { readonly content: string }> {
  const content = await readTextFile(path, { shown, maxBytes: largest });
  if (content.kind !== 'text') throw refused(shown, 'it is not UTF-8 text');
  return { ...(await parseRequirementsFile(content.text, shown)), content: content.text };
}

/**
 * Creates a strategy that returns exactly the requirements of a file that `reviewloop requirements`
 * wrote. It does not read the task. Each call reads the file again.
 *
 * @example
 * ```ts
 * const strategy = fileRequirements('TASK.requirements.yml');
 * const extractor = new RequirementExtractor({ strategy });
 * ```
 */
export function fileRequirements(path: string): RequirementStrategy {
  return async () => judgedRequirements((await readRequirementsFile(path)).requirements);
}

/**
 * @param before - The text of the file to change. Its comments and the order of keys stay. @default
 *   a new file with comments that explain it
 */
export async function requirementsText(
  { task, digest, requirements }: RequirementsFile,
  before = newFile(task),
): Promise<string> {
  const { isMap, isSeq, parseDocument, YAMLMap: NewMap } = await import('yaml');
  const document = parseDocument(before, { schema: 'failsafe' });
  const entries = document.get('requirements');
  const old = isSeq(entries) ? entries.items.filter((item) => isMap(item)) : [];
  document.set('task', task);
  document.set('digest', digest);
  const list = isSeq(entries) ? entries : document.createNode([]);
  list.flow = false;
  list.items = requirements.map((one, index) => {
    const known = old.find((node) => String(node.get('id')) === one.id);
    const node = known ?? new NewMap(document.schema);
    node.spaceBefore = index > 0;
    for (const [key, value] of valuesOf(one)) setText(document, node, { key, value });
    return node;
  });
  document.set('requirements', list);
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

function valuesOf(one: ListedRequirement): (readonly [string, string | undefined])[] {
  return [
    ['id', one.id],
    ['text', one.text],
    ['strength', one.strength],
    ['line', one.line === undefined ? undefined : String(one.line)],
    ['sentence', one.sentence],
    ['whole', one.whole === true ? 'true' : undefined],
  ];
}

/** Sets a text unless it says the same, so that its quotes and comments stay. */
function setText(
  document: Document,
  node: YAMLMap,
  { key, value }: { readonly key: string; readonly value: string | undefined },
): void {
  const before = node.get(key);
  if (value === undefined) return;
  if (typeof before === 'string' && before.replace(/\s+/g, ' ').trim() === value) return;
  node.set(key, document.createNode(value));
}

function newFile(task: string): string {
  const name = task.replace(/\s+/g, ' ');
  return `# The requirements of ${name}. \`reviewloop review\` judges exactly this list.
#
# Edit it and commit it. Change a text, delete an entry, or add one with a new id.
# strength: MUST blocks approval until it is satisfied, SHOULD and MAY count less,
#           OUT is left out on purpose: nobody judges it.
# line and sentence say where an entry was read. Leave them, so that your changes survive
#   reviewloop requirements ${name.includes(' ') ? `'${name}'` : name} --write --force
version: 1
task: x
digest: x
requirements: []
`;
}
