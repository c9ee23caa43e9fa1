/**
 * Returns a proxy that builds its schema on first use. Otherwise, importing the package would build
 * hundreds of schemas. The proxy behaves like the schema, but `console.log` does not show its
 * members.
 */
// @__NO_SIDE_EFFECTS__
export function builtOnUse<Schema extends object>(build: () => Schema): Schema {
  let built: Schema | undefined;
  const schema = (): Schema => {
    built ??= build();
    return built;
  };
  return new Proxy({} as Schema, {
    get: (_, key) => Reflect.get(schema(), key),
    set: (_, key, value) => Reflect.set(schema(), key, value),
    has: (_, key) => Reflect.has(schema(), key),
    deleteProperty: (_, key) => Reflect.deleteProperty(schema(), key),
    ownKeys: () => Reflect.ownKeys(schema()),
    getPrototypeOf: () => Reflect.getPrototypeOf(schema()),
    getOwnPropertyDescriptor: (_, key) =>
      configurable(Reflect.getOwnPropertyDescriptor(schema(), key)),
    defineProperty: (_, key, descriptor) => Reflect.defineProperty(schema(), key, descriptor),
  });
}

/** A proxy may report a member as non-configurable only if its target has that member. */
function configurable(descriptor: PropertyDescriptor | undefined): PropertyDescriptor | undefined {
  return descriptor && { ...descriptor, configurable: true };
}
