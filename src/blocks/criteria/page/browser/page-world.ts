import type { CDPSession, Page } from 'playwright-core';
import type * as z from 'zod';
import { type PageTools, pageTools } from '../inside/page-tools.js';
import type { Box } from '../page-files.js';

interface ShotOptions {
  readonly scale?: number;
  readonly jpeg?: boolean;
  /** Whether the part may lie outside of the window. */
  readonly beyond?: boolean;
}

/**
 * A page with a world of scripts of its own. The scripts of the page share its elements, but none of
 * its names, so they cannot change what is measured.
 */
export class PageWorld {
  readonly page: Page;
  readonly #session: CDPSession;
  readonly #contextId: number;

  private constructor(page: Page, session: CDPSession, contextId: number) {
    this.page = page;
    this.#session = session;
    this.#contextId = contextId;
  }

  static async of(page: Page): Promise<PageWorld> {
    const session = await page.context().newCDPSession(page);
    const { frameTree } = await session.send('Page.getFrameTree');
    const { executionContextId } = await session.send('Page.createIsolatedWorld', {
      frameId: frameTree.frame.id,
      worldName: 'reviewloop',
    });
    const world = new PageWorld(page, session, executionContextId);
    await world.run(`globalThis.pageTools = (${String(pageTools)})(); undefined`);
    return world;
  }

  async run(expression: string): Promise<unknown> {
    const { result, exceptionDetails } = await this.#session.send('Runtime.evaluate', {
      expression,
      contextId: this.#contextId,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails !== undefined)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /**
   * Calls a function inside the page. The function refers to nothing but its parameters and the
   * page, because only its text gets there.
   */
  async call<Given = null, Value = unknown>(
    work: (tools: PageTools, given: Given) => unknown,
    schema: z.ZodType<Value>,
    given?: Given,
  ): Promise<Value> {
    const called = `(${String(work)})(globalThis.pageTools, ${JSON.stringify(given ?? null)})`;
    const value = await this.run(`(async () => JSON.stringify((await ${called}) ?? null))()`);
    return schema.parse(JSON.parse(String(value)));
  }

  async shot(clip: Box, how: ShotOptions = {}): Promise<string> {
    const { scale = 1, jpeg = false, beyond = false } = how;
    const { data } = await this.#session.send('Page.captureScreenshot', {
      clip: { ...clip, scale },
      captureBeyondViewport: beyond,
      optimizeForSpeed: !jpeg,
      ...(jpeg ? { format: 'jpeg', quality: 60 } : { format: 'png' }),
    });
    return data;
  }
}
