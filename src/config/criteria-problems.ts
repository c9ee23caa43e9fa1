/** A problem of a configured value, and its place. */
export interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * Returns the problems of `criteria`: names, a list, the criteria of an agent, or a map from ids to
 * checks.
 */
export function criteriaProblems(value: unknown): Problem[] {
  if (typeof value === 'string') return [];
  if (Array.isArray(value))
    return value.flatMap((entry: unknown, index) =>
      listedProblems(entry).map((message) => ({ path: [index], message })),
    );
  if (!isObject(value))
    return [{ path: [], message: 'expected a name, a list, or a map from ids to functions' }];
  if (isOfAgent(value)) return [];
  return Object.entries(value).flatMap(([id, entry]) =>
    isCheck(entry)
      ? []
      : [{ path: [id], message: 'expected a function or { check, severity, ... }' }],
  );
}

/** Returns the problems of `reviewers`. */
export function reviewerProblems(value: unknown): Problem[] {
  if (!Array.isArray(value)) return [{ path: [], message: 'expected a list of reviewers' }];
  return value.flatMap((entry: unknown, index) =>
    hasId(entry) && isFunction(entry['review'])
      ? []
      : [{ path: [index], message: 'expected a reviewer with `id` and `review`' }],
  );
}

function listedProblems(entry: unknown): string[] {
  if (typeof entry === 'string' || isOfAgent(entry)) return [];
  const judges = hasId(entry) && (isFunction(entry['validate']) || isFunction(entry['review']));
  return judges
    ? []
    : [
        'expected the name of a set of criteria, a criterion with `id` and `validate`, ' +
          'or a reviewer with `id` and `review`',
      ];
}

/**
 * Returns whether members of a value can be read. They are not copied: methods of a class are on
 * its prototype.
 */
function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function hasId(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && typeof value['id'] === 'string' && value['id'] !== '';
}

function isOfAgent(value: unknown): boolean {
  return (
    isObject(value) && typeof value['agentId'] === 'string' && Array.isArray(value['criteria'])
  );
}

function isCheck(value: unknown): boolean {
  return isFunction(value) || (isObject(value) && isFunction(value['check']));
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}
