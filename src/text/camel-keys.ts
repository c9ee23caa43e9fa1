/** Returns an object with its top-level keys in camelCase instead of snake_case. */
export function camelKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [camelKey(key), member]));
}

/** Returns a key in camelCase instead of snake_case. */
export function camelKey(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns a key in snake_case instead of camelCase. */
export function snakeKey(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
