/** Work that is under way, by the object that its results go to and their key. */
const underWay = new WeakMap<object, Map<string, Promise<void>>>();

/** What is under way for a key in this process; settles, and never rejects, when it is over. */
export function inFlight(owner: object, key: string): Promise<void> | undefined {
  return underWay.get(owner)?.get(key);
}

/** Says that work for a key has begun, unless another has said so; the result says that it is over. */
export function begin(owner: object, key: string): () => void {
  const flights = underWay.get(owner) ?? new Map<string, Promise<void>>();
  if (flights.has(key)) return () => {};
  underWay.set(owner, flights);
  let resolve: () => void = () => {};
  const flight = new Promise<void>((settle) => {
    resolve = settle;
  });
  flights.set(key, flight);
  return () => {
    if (flights.get(key) === flight) flights.delete(key);
    resolve();
  };
}
