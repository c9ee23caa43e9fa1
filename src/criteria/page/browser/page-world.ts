import type { CDPSession, Page } from 'playwright-core';
import type * as z from 'zod';
import { type PageTools, pageTools } from '../inside/page-tools.js';
import { pixelsOf, type ReadPixels } from '../inside/pixels.js';
import type { Box } from '../page-place.js';

/** How a screenshot is made. */
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
  #blank: Promise<Page> | undefined;

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

  /** Runs a script and returns its value. */
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
  async call<Given, Value>(
    work: (tools: PageTools, given: Given) => Value | Promise<Value>,
    schema: z.ZodType<Value>,
    given: Given,
  ): Promise<Value> {
    const value = await this.run(
      `(async () => JSON.stringify(await (${String(work)})(globalThis.pageTools, ${JSON.stringify(given ?? null)})))()`,
    );
    return schema.parse(JSON.parse(String(value)));
  }

  /** Calls a function inside the page that returns nothing. */
  async do<Given>(work: (tools: PageTools, given: Given) => void, given: Given): Promise<void> {
    await this.run(
      `(${String(work)})(globalThis.pageTools, ${JSON.stringify(given ?? null)}); undefined`,
    );
  }

  /** Returns a screenshot of a part of the page, in base64. */
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

  /** Looks at pictures inside an empty page, which nothing of the visited page can reach. */
  async compare<Given, Value>(
    work: (given: Given, pixels: ReadPixels) => Promise<Value>,
    given: Given,
  ): Promise<Value> {
    this.#blank ??= this.#openBlank();
    const page = await this.#blank;
    const value: Value = JSON.parse(
      String(
        await page.evaluate(
          `(${String(work)})(${JSON.stringify(given)}, ${String(pixelsOf)}).then(JSON.stringify)`,
        ),
      ),
    );
    return value;
  }

  /** Closes what it opened beside the page. */
  async close(): Promise<void> {
    const page = await this.#blank;
    await page?.context().close();
  }

  async #openBlank(): Promise<Page> {
    const context = await this.page.context().browser()?.newContext();
    if (context === undefined) throw new Error('the browser is closed');
    return context.newPage();
  }

  /** Returns the fonts that the text of the page is shown in. */
  async fonts(): Promise<string[]> {
    const session = this.#session;
    await session.send('DOM.enable');
    await session.send('CSS.enable');
    const { root } = await session.send('DOM.getDocument', { depth: 0 });
    const names = new Set<string>();
    for (const selector of ['body', 'h1', 'p', 'a', 'li']) {
      const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector });
      if (nodeId === 0) continue;
      const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
      for (const { familyName } of fonts) names.add(familyName);
    }
    await session.send('CSS.disable');
    return [...names];
  }
}
