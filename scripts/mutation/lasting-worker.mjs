// A worker of vitest that lives on from one mutant to the next. Starting a thread and loading packages takes most of
// the time that a mutant costs; `fresh-modules.ts` loads the sources anew, so that no mutant sees what another left.
import { ThreadsPoolWorker } from 'vitest/node';

/** Runs after which a thread is replaced: what tests leave behind does not pile up. */
const runsOfOneThread = 40;
const idle = new Map();

class LastingWorker extends ThreadsPoolWorker {
  name = 'lasting';

  constructor(options) {
    super(options);
    this.projectName = options.project.name;
  }

  async start() {
    const waiting = idle.get(this.projectName);
    idle.delete(this.projectName);
    this.runs = (waiting?.runs ?? 0) + 1;
    this._thread = waiting?.thread;
    await super.start();
  }

  send(message) {
    this.isDone = message.type === 'stop';
    if (!this.isDone) super.send(message);
    else this.thread.emit('message', { type: 'stopped', __vitest_worker_response__: true });
  }

  async stop() {
    const thread = this.thread;
    if (!this.isDone || this.runs >= runsOfOneThread || idle.has(this.projectName))
      return super.stop();
    for (const event of ['message', 'error', 'exit']) thread.removeAllListeners(event);
    thread.stdout?.unpipe(this.stdout);
    thread.stderr?.unpipe(this.stderr);
    idle.set(this.projectName, { thread, runs: this.runs });
  }
}

// the pool for vitest: threads that are used again
const lastingPool = {
  name: 'lasting',
  createPoolWorker: (options) => new LastingWorker(options),
};

/** The plugin that makes vitest use them. */
export function lastingThreads() {
  return {
    name: 'lasting-threads',
    configureVitest({ vitest }) {
      for (const project of vitest.projects)
        Object.assign(project.config, { pool: lastingPool.name, poolRunner: lastingPool });
    },
  };
}
