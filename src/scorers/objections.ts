/** A member of a result that says no, beside its score. */
export interface Objection {
  /** `fail` says no, `open` was not judged, `error` went wrong, `odd` cannot be read. */
  readonly kind: 'fail' | 'open' | 'error' | 'odd';
  /** The member and its value. */
  readonly text: string;
  readonly value: unknown;
}

/** Members that say whether an output is good: `pass`, `isValid`, `is_successful`. */
const verdicts =
  /^(?:is|has)?(?:pass(?:ed|ing|es)?|success(?:ful)?|succeeded|ok|valid|correct|safe|approved|accepted)$/;
/** Members that say that it is bad. */
const failures =
  /^(?:is|was|has)?(?:fail(?:ed\w*|ing|s|ures?)?|failure(?:reason|message)|invalid(?:reason)?|blocked|rejected|denied|flagged|unsafe|incorrect)$/;
/** Members that say that nothing was judged. */
const gaps = /^(?:is|was)?(?:skip(?:ped)?|notrun|notapplicable|inconclusive)$/;
/** Members that say that the scorer went wrong. */
const errors =
  /^(?:is|has)?(?:\w*errors?|errormessage|exceptions?|scoringfailed|timedout|cancell?ed|aborted)$/;
/** Members with a word in place of a boolean, also `groundedness_result`, and the words. */
const statuses = /(?:status|verdict|result|outcome|label)$/;
const words = {
  fail: /^(?:fail(?:ed|ing|ure)?|rejected|no|false|incorrect|unsafe)$/,
  error: /^(?:error(?:ed)?|exception|crashed|time_?d?_?out|cancell?ed|aborted)$/,
  open: /^(?:skipped|skip|unknown|pending|running|not_?run|not_?applicable|n\/a|inconclusive|undecided)$/,
} as const;
/** Members that contain other results. */
const parts =
  /^(?:(?:component|sub|metric|evaluation)?(?:results|scores)|components|metrics(?:data)?|gradingresult|evaluations?|checks)$/;

/** How deep results contain others. */
const deepest = 8;

/**
 * Returns what the members of a result, and of the results in it, say against it. The names are
 * those of promptfoo, deepeval, braintrust, langsmith, genkit, opik, LlamaIndex and alike.
 */
export function objectionsOf(result: object, where = '', depth = 0): Objection[] {
  if (depth > deepest)
    return [{ kind: 'odd', text: `${where} is nested too deeply`, value: result }];
  return membersIn(result).flatMap(([member, value]) => {
    const path = where === '' ? member : `${where}.${member}`;
    const name = nameOf(member);
    // a result in another one that abstains was not judged
    const kind = depth > 0 && name === 'score' && value === null ? 'open' : kindOf(name, value);
    if (kind !== undefined) return [{ kind, text: told(path, value), value }];
    const read = readerOf(name);
    if (read === undefined) return [];
    const inside: readonly unknown[] = Array.isArray(value) ? value : [value];
    return inside.filter(isObject).flatMap((one) => read(one, path, depth + 1));
  });
}

/** Returns how what a member contains is read; undefined for data. */
function readerOf(name: string): typeof objectionsOf | undefined {
  if (name === 'metadata') return inMetadata;
  if (name === 'judge') return inJudge;
  if (name.endsWith('stepresult')) return inStep;
  return parts.test(name) ? objectionsOf : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function nameOf(member: string): string {
  return member.toLowerCase().replaceAll(/[^a-z]/g, '');
}

function kindOf(name: string, value: unknown): Objection['kind'] | undefined {
  const [, read] = readers.find(([names]) => names.test(name)) ?? [];
  return read?.(value, name);
}

type ReadMember = (value: unknown, name: string) => Objection['kind'] | undefined;

const readers: readonly (readonly [RegExp, ReadMember])[] = [
  [verdicts, verdictKind],
  [failures, (value) => (isSet(value) ? 'fail' : undefined)],
  [gaps, (value) => (isSet(value) ? 'open' : undefined)],
  [statuses, statusKind],
  // the error of a measurement, such as `meanError`, is a number
  [errors, (value, name) => (isSet(value) && !isMeasured(value, name) ? 'error' : undefined)],
];

function isMeasured(value: unknown, name: string): boolean {
  return name !== 'error' && typeof value === 'number';
}

function statusKind(value: unknown): Objection['kind'] | undefined {
  if (typeof value !== 'string') return undefined;
  const word = value.trim().toLowerCase().replaceAll(/[\s-]/g, '_');
  return (['fail', 'error', 'open'] as const).find((kind) => words[kind].test(word));
}

function verdictKind(value: unknown): Objection['kind'] | undefined {
  if (value === true || value === undefined || typeof value === 'function') return undefined;
  if (value === null) return 'open';
  return value === false ? 'fail' : 'odd';
}

/** Metadata has any form: only what cannot mean something else counts. */
function inMetadata(metadata: object, where = ''): Objection[] {
  return membersIn(metadata).flatMap(([member, value]): Objection[] => {
    const name = nameOf(member);
    const kind = kindOf(name, value);
    if (kind === undefined || statuses.test(name)) return [];
    const isClear = kind === 'error' || typeof value === 'boolean';
    return isClear ? [{ kind, text: told(`${where}.${member}`, value), value }] : [];
  });
}

/** A step of a scorer contains judgements of its parts, which its score already counts. */
function inStep(step: object, where = ''): Objection[] {
  return objectionsOf(step, where, 1).filter(({ kind }) => kind === 'error');
}

/** Mastra tells how often its judge was asked for each step; the last time counts. */
function inJudge(judge: object, where = ''): Objection[] {
  return membersIn(judge).flatMap(([step, asked]): Objection[] => {
    if (!isObject(asked) || !('executions' in asked)) return [];
    const last: unknown = Array.isArray(asked.executions) ? asked.executions.at(-1) : undefined;
    return isObject(last) ? objectionsOf(last, `${where}.${step}`, 1) : [];
  });
}

function membersIn(value: object): [string, unknown][] {
  const names = new Set<string>();
  let from: object | null = value;
  while (from !== null && from !== Object.prototype && from !== Array.prototype) {
    for (const name of Object.getOwnPropertyNames(from)) names.add(name);
    from = Object.getPrototypeOf(from);
  }
  names.delete('constructor');
  return [...names].map((name) => [name, Reflect.get(value, name)]);
}

/** Returns whether a member that may be empty says something. */
function isSet(value: unknown): boolean {
  if (isObject(value) && !(value instanceof Error)) return Object.keys(value).length > 0;
  return typeof value !== 'function' && Boolean(value);
}

function told(path: string, value: unknown): string {
  const text = value instanceof Error ? value.message : (JSON.stringify(value) ?? String(value));
  return `${path}: ${text.slice(0, 200)}`;
}
