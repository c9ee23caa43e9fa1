/** What was parsed from a text of a file. */
interface Parsed {
  readonly file: string;
  readonly source: string;
}

/** Returns what a text of a file says, or the reason why it cannot be read. */
type Parse<Value extends Parsed> = (file: string, source: string) => Promise<Value | string>;

/** How many texts of one file stay: its versions, or the parts that are read one by one. */
const mostOfOneFile = 8;
/** The texts of how many files stay. */
const mostFiles = 1000;

/**
 * Returns a function that parses each text of a file once for all rules that ask for it, also at the
 * same time. What was parsed stays until memory is needed.
 */
export function parsedOnce<Value extends Parsed>(parse: Parse<Value>): Parse<Value> {
  const held = new Map<string, readonly WeakRef<Value>[]>();
  const underWay = new Map<string, Promise<Value | string>>();

  const keep = (value: Value): void => {
    const { file } = value;
    const earlier = held.get(file) ?? [];
    held.delete(file);
    held.set(file, [new WeakRef(value), ...earlier.slice(0, mostOfOneFile - 1)]);
    const [oldest] = held.keys();
    if (held.size > mostFiles && oldest !== undefined) held.delete(oldest);
  };
  const read: Parse<Value> = async (file, source) => {
    const value = await parse(file, source);
    if (typeof value !== 'string') keep(value);
    return value;
  };

  return async (file, source) => {
    for (const one of held.get(file) ?? []) {
      const value = one.deref();
      if (value?.source === source) return value;
    }
    const key = `${file}\0${source}`;
    const reading = underWay.get(key) ?? read(file, source).finally(() => underWay.delete(key));
    underWay.set(key, reading);
    return reading;
  };
}

/** Returns a function that makes a value once for each object, as long as the object lives. */
export function onceFor<Key extends object, Value extends object>(
  make: (key: Key) => Value,
): (key: Key) => Value {
  const made = new WeakMap<Key, Value>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}
