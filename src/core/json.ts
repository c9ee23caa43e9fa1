import { messageOf, ReviewLoopError } from './errors.js';
import { hashText } from './hash.js';

const deepest = 500;

/** How many values one piece of data may contain. Shared parts count each time. */
const most = 2_000_000;

interface Trail {
  readonly key: string | number;
  readonly parent: Trail | undefined;
}

interface Copying {
  readonly freeze: boolean;
  left: number;
}

/** Members that are `undefined` are left out, as in JSON. */
export function copyJson<Value>(value: Value, { freeze }: { freeze: boolean }): Value {
  try {
    return copy(value, { freeze, left: most }, undefined, 0) as Value;
  } catch (error) {
    if (error instanceof ReviewLoopError) throw error;
    throw new ReviewLoopError('not_json', `the data could not be read: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** Members are sorted: equal data has equal text. */
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

/** The data must be known to be JSON. */
export function digestJson(value: unknown): string {
  return hashText(canonicalJson(value));
}

/**
 * Returns the SHA-256 of the canonical form of JSON data: equal data has an equal digest.
 *
 * @throws ReviewLoopError `not_json`
 */
export function digestOf(value: unknown): string {
  return digestJson(copyJson(value, { freeze: false }));
}

function copy(value: unknown, copying: Copying, trail: Trail | undefined, depth: number): unknown {
  if (isPlain(value)) return value;
  switch (typeof value) {
    case 'number':
      if (!Number.isFinite(value)) throw notJson(String(value), trail);
      return value;
    case 'object':
      if (depth > deepest)
        throw notJson(
          `data nested deeper than ${deepest} levels, or data that contains itself`,
          trail,
        );
      return Array.isArray(value)
        ? copyArray(value, copying, trail, depth)
        : copyObject(value as object, copying, trail, depth);
    default:
      throw notJson(value === undefined ? 'undefined' : `a ${typeof value}`, trail);
  }
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || value === null;
}

function copyArray(
  value: readonly unknown[],
  copying: Copying,
  trail: Trail | undefined,
  depth: number,
): unknown {
  count(value.length, copying, trail);
  const copied: unknown[] = [];
  for (let index = 0; index < value.length; index += 1) {
    const item = value[index];
    copied.push(
      isPlain(item) ? item : copy(item, copying, { key: index, parent: trail }, depth + 1),
    );
  }
  return copying.freeze ? Object.freeze(copied) : copied;
}

function copyObject(
  value: object,
  copying: Copying,
  trail: Trail | undefined,
  depth: number,
): unknown {
  if (!isPlainObject(value))
    throw notJson(`a ${value.constructor?.name || 'class instance'}`, trail);
  const keys = Object.keys(value);
  count(keys.length, copying, trail);
  const copied: Record<string, unknown> = {};
  for (const key of keys) {
    const member: unknown = (value as Record<string, unknown>)[key];
    if (member === undefined) continue;
    const memberCopy = isPlain(member)
      ? member
      : copy(member, copying, { key, parent: trail }, depth + 1);
    if (key === '__proto__')
      Object.defineProperty(copied, key, {
        value: memberCopy,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    else copied[key] = memberCopy;
  }
  return copying.freeze ? Object.freeze(copied) : copied;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Asks no getter and no prototype. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;
}

/** An object literal, of this realm or another. Class instances are not plain. */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return true;
  return (
    typeof prototype === 'object' &&
    Object.getPrototypeOf(prototype) === null &&
    Object.hasOwn(prototype, 'isPrototypeOf')
  );
}

function count(values: number, copying: Copying, trail: Trail | undefined): void {
  copying.left -= values;
  if (copying.left < 0)
    throw notJson(`more than ${most} values (parts that are shared count each time)`, trail);
}

function notJson(what: string, trail: Trail | undefined): ReviewLoopError {
  const keys: (string | number)[] = [];
  for (let at = trail; at !== undefined; at = at.parent) keys.unshift(at.key);
  const path = keys
    .slice(0, 20)
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`))
    .join('');
  return new ReviewLoopError(
    'not_json',
    `found ${what} at $${path}${keys.length > 20 ? '...' : ''}, which is not JSON`,
  );
}

/** Freezes in place. Errors stay as they are: other code adds members to them. */
export function deepFrozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || value instanceof Error) return value;
  for (const key in value) deepFrozen(value[key]);
  return Object.freeze(value);
}
