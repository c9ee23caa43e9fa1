// What a call takes: real time, or virtual time, which is exact and the same on every machine.

export const realWait = (ms) => ({
  now: () => performance.now(),
  wait: () => new Promise((resolve) => void setTimeout(resolve, ms)),
  during: (work) => work(),
});

/** Time that jumps to the next end of a call once nothing is left to run. */
export function virtualWait(ms) {
  let now = 0;
  const sleepers = [];
  return {
    now: () => now,
    wait: () => new Promise((resolve) => void sleepers.push({ at: now + ms, resolve })),
    during: async (work) => {
      let done = false;
      const result = work().finally(() => {
        done = true;
      });
      while (!done) {
        await new Promise((resolve) => void setImmediate(resolve));
        if (done || sleepers.length === 0) continue;
        now = sleepers[0].at;
        while (sleepers.length > 0 && sleepers[0].at === now) sleepers.shift().resolve();
      }
      return result;
    },
  };
}
