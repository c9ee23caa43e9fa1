import * as z from 'zod';

/** How pages are judged in a browser, in a configuration. */
export const PagesConfigSchema = z.strictObject({
  browser: z.strictObject({ executablePath: z.string().min(1).optional() }).optional(),
  scripts: z.boolean().optional(),
  maxPages: z.int().min(1).optional(),
  timeoutMs: z.int().min(1).optional(),
  screenshots: z.enum(['gaps', 'none']).optional(),
  allowNoSandbox: z.boolean().optional(),
});

export interface ConfiguredPages {
  /** The browser that shows the pages. @default an installed Chromium */
  readonly browser?: { readonly executablePath?: string | undefined } | undefined;
  /** Whether the scripts of the pages run. @default false */
  readonly scripts?: boolean | undefined;
  /** How many pages are visited. @default 20 */
  readonly maxPages?: number | undefined;
  /** How long a visit may take, in milliseconds. @default 20000 */
  readonly timeoutMs?: number | undefined;
  /** Whether findings have a picture of their place. @default 'gaps' */
  readonly screenshots?: 'gaps' | 'none' | undefined;
  /** Whether a browser without its sandbox may be used. Then scripts never run. @default false */
  readonly allowNoSandbox?: boolean | undefined;
}
