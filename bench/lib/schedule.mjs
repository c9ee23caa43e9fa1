// What any schedule could reach: the bounds that makespans are compared with.

/** No schedule is faster: the calls of one loop follow each other, and C calls are out at most. */
export function naiveBound({ criteria, loops, concurrency, callMs }) {
  const sequential = 6;
  return Math.max(sequential, Math.ceil((loops * (3 + 3 * criteria)) / concurrency)) * callMs;
}

/** For one loop: a review must be over before its gaps are addressed. */
export function barrierBound({ criteria, concurrency, callMs }) {
  return (3 + 3 * Math.ceil(criteria / concurrency)) * callMs;
}

/** First come, first served with those barriers, in virtual time: what is attainable with many loops. */
export function listSchedule({ criteria, loops, concurrency, callMs }) {
  const phases = [1, criteria, 1, criteria, 1, criteria];
  const queue = [];
  const running = [];
  const state = Array.from({ length: loops }, () => ({ phase: 0, left: phases[0], end: 0 }));
  const enqueue = (loop) => {
    for (let call = 0; call < state[loop].left; call += 1) queue.push(loop);
  };
  for (let loop = 0; loop < loops; loop += 1) enqueue(loop);
  let now = 0;
  while (queue.length > 0 || running.length > 0) {
    while (queue.length > 0 && running.length < concurrency) running.push({ loop: queue.shift(), at: now + callMs });
    now = running[0].at;
    while (running.length > 0 && running[0].at === now) {
      const own = state[running[0].loop];
      const { loop } = running.shift();
      own.left -= 1;
      if (own.left > 0) continue;
      own.phase += 1;
      own.end = now;
      if (own.phase === phases.length) continue;
      own.left = phases[own.phase];
      enqueue(loop);
    }
  }
  return { makespan: now, meanCompletion: state.reduce((sum, { end }) => sum + end, 0) / loops };
}
