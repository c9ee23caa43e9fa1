import { ReviewLoopError } from '../../core/errors.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { modelErrors } from '../errors.js';
import { type JsonSchema, memberPath } from './json-schema.js';

export type WireTarget = LLMProvider['capabilities']['schemaSubset'];

/** Returns the error for a schema that a service does not accept. */
export function unsupported(path: readonly string[], what: string): ReviewLoopError {
  return new ReviewLoopError(
    modelErrors.schema_unsupported,
    `the schema cannot be sent: ${what} (at ${memberPath(path)})`,
    { value: path },
  );
}

/**
 * Checks that the subset of a service has the shapes of a schema.
 *
 * @throws ReviewLoopError `schema_unsupported`
 */
export function refuseShapes(given: JsonSchema, path: readonly string[], target: WireTarget): void {
  if (target === 'full') return;
  const shapes: Readonly<Record<string, string>> = {
    propertyNames: 'a record',
    patternProperties: 'a record',
    prefixItems: 'a tuple',
    allOf: 'an intersection',
    not: 'a negation',
    if: 'a condition',
  };
  for (const [keyword, what] of Object.entries(shapes))
    if (keyword in given) throw unsupported(path, `${what} is not in the subset of ${target}`);
  if (
    given['type'] === 'object' &&
    given['additionalProperties'] !== undefined &&
    given['additionalProperties'] !== false
  ) {
    throw unsupported(path, `an object with members of any name is not in the subset of ${target}`);
  }
}

const formats = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
]);
const structural = new Set([
  'type',
  'enum',
  'const',
  'description',
  'items',
  'properties',
  'required',
  'additionalProperties',
  'anyOf',
  'format',
]);
const bounds = new Set([
  'pattern',
  'multipleOf',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minItems',
  'maxItems',
]);
/** Keywords that do not constrain the value. */
const remarks = new Set([
  '$defs',
  '$id',
  'id',
  '$comment',
  'title',
  'readOnly',
  'writeOnly',
  'deprecated',
]);

/**
 * Returns the schema with the keywords that the subset supports; the description lists the other
 * constraints.
 */
export function keepSupported(given: JsonSchema, target: WireTarget): JsonSchema {
  if (target === 'full')
    return Object.fromEntries(Object.entries(given).filter(([keyword]) => keyword !== '$defs'));
  const kept: Record<string, unknown> = {};
  const told: string[] = [];
  for (const [keyword, value] of Object.entries(given)) {
    if (
      remarks.has(keyword) ||
      (Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER && keyword !== 'const')
    )
      continue;
    if (isKept(keyword, value, given, target)) kept[keyword] = value;
    else if (keyword !== 'pattern' || given['format'] === undefined)
      told.push(`${keyword}: ${JSON.stringify(value)}`);
  }
  if (told.length > 0)
    kept['description'] = [given['description'], `(${told.join(', ')})`]
      .filter((part) => part !== undefined)
      .join(' ');
  return kept;
}

function isKept(keyword: string, value: unknown, given: JsonSchema, target: WireTarget): boolean {
  if (keyword === 'format') return formats.has(String(value));
  if (structural.has(keyword)) return true;
  if (target === 'anthropic') return keyword === 'minItems' && Number(value) <= 1;
  return bounds.has(keyword) && !(keyword === 'pattern' && given['format'] !== undefined);
}
