import { ReviewLoopError } from './errors.js';
import { hashText } from './hash.js';

const deepest = 500;

interface Trail {
  readonly key: string | number;
  readonly parent: Trail | undefined;
}

/**
 * A deep copy of plain JSON data that nobody else holds. Members that are `undefined` are left out, as JSON does.
 *
 * @throws ReviewLoopError `not_json` for anything that JSON cannot hold, with the path to it.
 */
export function copyJson<Value>(value: Value, options: { freeze: boolean }): Value {
  return copy(value, options.freeze, undefined, 0) as Value;
}

/** The same text for equal JSON data, whatever the order of its members. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const member: unknown = (value as Record<string, unknown>)[key];
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${canonicalJson(member)}`);
  }
  return `{${members.join(',')}}`;
}

/** SHA-256 over the canonical form of JSON data: equal data, equal digest. */
export function digestOf(value: unknown): string {
  return hashText(canonicalJson(value));
}

function copy(value: unknown, freeze: boolean, trail: Trail | undefined, depth: number): unknown {
  if (isPlain(value)) return value;
  switch (typeof value) {
    case 'number':
      if (!Number.isFinite(value)) throw notJson(String(value), trail);
      return value;
    case 'object':
      if (depth > deepest) throw notJson(`data nested deeper than ${deepest} levels, or data that contains itself`, trail);
      return Array.isArray(value) ? copyArray(value, freeze, trail, depth) : copyObject(value as object, freeze, trail, depth);
    default:
      throw notJson(value === undefined ? 'undefined' : `a ${typeof value}`, trail);
  }
}

/** What needs no copy and cannot be refused. */
function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || value === null;
}

function copyArray(value: readonly unknown[], freeze: boolean, trail: Trail | undefined, depth: number): unknown {
  const copied: unknown[] = [];
  for (let index = 0; index < value.length; index += 1) {
    const item = value[index];
    copied.push(isPlain(item) ? item : copy(item, freeze, { key: index, parent: trail }, depth + 1));
  }
  return freeze ? Object.freeze(copied) : copied;
}

function copyObject(value: object, freeze: boolean, trail: Trail | undefined, depth: number): unknown {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) throw notJson(`a ${value.constructor?.name ?? 'class instance'}`, trail);
  const copied: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const member: unknown = (value as Record<string, unknown>)[key];
    if (member === undefined) continue;
    const memberCopy = isPlain(member) ? member : copy(member, freeze, { key, parent: trail }, depth + 1);
    if (key === '__proto__') Object.defineProperty(copied, key, { value: memberCopy, enumerable: true, configurable: true, writable: true });
    else copied[key] = memberCopy;
  }
  return freeze ? Object.freeze(copied) : copied;
}

function notJson(what: string, trail: Trail | undefined): ReviewLoopError {
  const keys: (string | number)[] = [];
  for (let at = trail; at !== undefined; at = at.parent) keys.unshift(at.key);
  const path = keys
    .slice(0, 20)
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`))
    .join('');
  return new ReviewLoopError('not_json', `found ${what} at $${path}${keys.length > 20 ? '...' : ''}, which JSON cannot hold`);
}
