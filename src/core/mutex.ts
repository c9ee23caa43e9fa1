/** Runs one piece of work at a time, in the order of the calls. */
export type Mutex = <Value>(work: () => Value | Promise<Value>) => Promise<Value>;

/** Work that fails rejects its own call only. */
export function mutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}
