/** A JSON Schema, or a part of one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Whether a value is an object with members. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The same schema, or null. */
export function nullable(schema: JsonSchema): JsonSchema {
  const { type, description } = schema;
  if (type !== undefined && !('enum' in schema) && !('const' in schema))
    return { ...schema, type: [...new Set([type, 'null'].flat())] };
  return { anyOf: [schema, { type: 'null' }], ...(description !== undefined && { description }) };
}

/** The types that an enumeration needs. */
export function typeOfValues(values: readonly unknown[]): string | readonly string[] {
  const types = [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))];
  return types.length === 1 ? (types[0] ?? 'string') : types;
}

/** A path as people write it: `$.gaps[].severity`. */
export function memberPath(path: readonly string[]): string {
  return `$${path.map((key) => (key === '[]' || key.startsWith('(') ? key : `.${key}`)).join('')}`;
}
