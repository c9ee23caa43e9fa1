/** A JSON Schema, or a part of one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Returns whether a value is an object that is not a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a schema that also accepts null. */
export function nullable(schema: JsonSchema): JsonSchema {
  const { type, description } = schema;
  if (type !== undefined && !('enum' in schema) && !('const' in schema))
    return { ...schema, type: [...new Set([type, 'null'].flat())] };
  return { anyOf: [schema, { type: 'null' }], ...(description !== undefined && { description }) };
}

/** Returns the JSON Schema types of some values. */
export function typeOfValues(values: readonly unknown[]): string | readonly string[] {
  const types = [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))];
  return types.length === 1 ? (types[0] ?? 'string') : types;
}

/** Returns a path as text, such as `$.gaps[].severity`. */
export function memberPath(path: readonly string[]): string {
  return `$${path.map((key) => (key === '[]' || key.startsWith('(') ? key : `.${key}`)).join('')}`;
}
