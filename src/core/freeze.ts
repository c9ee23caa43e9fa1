/**
 * Freezes data in place with everything that it contains, and returns it. Errors stay as they are:
 * other code adds members to them.
 */
export function deepFrozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || value instanceof Error) return value;
  for (const key in value) deepFrozen(value[key]);
  return Object.freeze(value);
}
