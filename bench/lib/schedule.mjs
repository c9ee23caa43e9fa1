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
  const progress = Array.from({ length: loops }, () => ({ phase: 0, left: phases[0], end: 0 }));
  const queue = [];
  const enqueue = (loop) => {
    for (let call = 0; call < loop.left; call += 1) queue.push(loop);
  };
  const finishCall = (loop, now) => {
    loop.left -= 1;
    if (loop.left > 0) return;
    loop.phase += 1;
    loop.end = now;
    loop.left = phases[loop.phase] ?? 0;
    enqueue(loop);
  };
  for (const loop of progress) enqueue(loop);
  let now = 0;
  while (queue.length > 0) {
    // all calls take equally long, so those that are out start and end together
    const running = queue.splice(0, concurrency);
    now += callMs;
    for (const loop of running) finishCall(loop, now);
  }
  return { makespan: now, meanCompletion: progress.reduce((sum, { end }) => sum + end, 0) / loops };
}
