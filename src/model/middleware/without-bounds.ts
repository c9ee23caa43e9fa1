const bounds = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
];
const named = ['properties', '$defs', 'definitions'];

/** A JSON Schema without its bounds on numbers, texts and lists. */
export function withoutBounds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutBounds);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => !bounds.includes(keyword));
  return Object.fromEntries(
    kept.map(([keyword, value]) => [
      keyword,
      isData(keyword) ? value : named.includes(keyword) ? ofMembers(value) : withoutBounds(value),
    ]),
  );
}

function isData(keyword: string): boolean {
  return (
    keyword === 'const' || keyword === 'enum' || keyword === 'default' || keyword === 'examples'
  );
}

function ofMembers(members: unknown): unknown {
  if (typeof members !== 'object' || members === null) return members;
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, withoutBounds(value)]),
  );
}
