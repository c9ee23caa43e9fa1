import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, normalize } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import * as z from 'zod';
import { openPage } from '../support/browser.js';
import type { ActCase, ActVerdict } from './act-cases.js';

const RanSchema = z.object({ violations: z.number(), incomplete: z.number() });
const origin = 'http://cases.invalid';

/** Returns the rules of axe that claim a rule of the W3C. */
export function axeRulesOf(rule: string): readonly string[] {
  return axe
    .getRules()
    .filter(({ actIds = [] }) => actIds.includes(rule))
    .map(({ ruleId }) => ruleId);
}

export class AxeAlone {
  readonly #folder: string;
  #page: Promise<Page> | undefined;
  #html = '';
  #arrived = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns what the rules of axe for the rule of a case say. */
  async verdictOf({ rule, html }: ActCase): Promise<ActVerdict> {
    this.#page ??= this.#opened();
    const page = await this.#page;
    this.#html = html;
    this.#arrived = false;
    try {
      await page.goto(`${origin}/case.html`, { waitUntil: 'load' });
      await page.evaluate(axe.source);
      const ran = RanSchema.parse(
        await page.evaluate(
          `axe.run(document, { runOnly: { type: 'rule', values: ${JSON.stringify(axeRulesOf(rule))} } })
            .then(({ violations, incomplete }) => ({ violations: violations.length, incomplete: incomplete.length }))`,
        ),
      );
      if (ran.violations > 0) return 'failed';
      return ran.incomplete > 0 ? 'undecided' : 'passed';
    } catch {
      return 'undecided';
    }
  }

  async #opened(): Promise<Page> {
    const { page } = await openPage();
    page.setDefaultTimeout(60_000);
    await page.route('**/*', (route) => {
      const request = route.request();
      if (request.isNavigationRequest() && request.frame() === page.mainFrame()) {
        // a page that leads on would end the run of axe; after 204 it stays
        if (this.#arrived) return route.fulfill({ status: 204 });
        this.#arrived = true;
      }
      const { pathname } = new URL(request.url());
      if (pathname === '/case.html')
        return route.fulfill({ contentType: 'text/html; charset=utf-8', body: this.#html });
      const place = join(this.#folder, 'act-rules', normalize(pathname));
      return existsSync(place) && statSync(place).isFile()
        ? route.fulfill({ body: readFileSync(place), path: place })
        : route.fulfill({ status: 404, body: '' });
    });
    return page;
  }
}
