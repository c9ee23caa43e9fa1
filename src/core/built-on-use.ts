/**
 * Returns a schema that is built when it is first used. Importing the package would otherwise build hundreds of schemas.
 * It behaves like the schema, except that an inspector shows nothing of it.
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

/** No proxy may call a member fixed that its own object does not have. */
function configurable(descriptor: PropertyDescriptor | undefined): PropertyDescriptor | undefined {
  return descriptor && { ...descriptor, configurable: true };
}
