import { spawnSync } from 'node:child_process';
import type { Reporter, TestModule } from 'vitest/node';

/** Longer than the longest file takes on a busy machine; no test may take longer than 25 minutes. */
const minutes = 30;

/**
 * Ends a run in which no file has ended for a long time. A test that never gives the processor back cannot be ended by its
 * own time limit: without this, a run would hang without naming it.
 */
export default class StallReporter implements Reporter {
  readonly #running = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  onTestRunStart(): void {
    this.#wait();
  }

  onTestModuleStart(module: TestModule): void {
    this.#running.add(module.relativeModuleId);
  }

  onTestModuleEnd(module: TestModule): void {
    this.#running.delete(module.relativeModuleId);
    this.#wait();
  }

  onTestRunEnd(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wait(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end(), minutes * 60_000);
  }

  #end(): void {
    console.error(`no test file has ended for ${minutes} minutes; still running:`);
    for (const name of this.#running) console.error(`  ${name}`);
    // a busy worker does not notice that its parent is gone
    spawnSync('pkill', ['-KILL', '-P', String(process.pid)]);
    process.exit(1);
  }
}
