import * as z from 'zod';
import { loadPeer } from '../../core/load-peer.js';
import type { Page } from '../html/dom.js';

/** The packages that the check needs. */
export interface AxePeers {
  readonly axe: string;
  readonly jsdom: typeof import('jsdom');
}

const NodeSchema = z.object({ selector: z.string(), html: z.string(), summary: z.string() });
const RuleSchema = z.object({
  id: z.string(),
  impact: z.string().nullish(),
  help: z.string(),
  helpUrl: z.string(),
  nodes: z.array(NodeSchema),
});
const AnswerSchema = z.object({
  violations: z.array(RuleSchema),
  incomplete: z.array(RuleSchema),
  passed: z.number(),
});

/** A rule of axe with its places. */
export type AxeRule = Omit<z.infer<typeof RuleSchema>, 'nodes'> & {
  readonly nodes: readonly (z.infer<typeof NodeSchema> & {
    readonly line: number;
    readonly evidence: string;
  })[];
};

/** The results of axe for one page. */
export interface AxeAnswer {
  readonly violations: readonly AxeRule[];
  /** Rules that axe could not decide. */
  readonly incomplete: readonly string[];
  readonly passed: number;
}

/** Loads axe-core and jsdom. @throws ReviewLoopError `peer_missing` */
export async function axePeers(): Promise<AxePeers> {
  const peer = { feature: 'the axe check', packages: ['axe-core', 'jsdom'] };
  const [axe, jsdom] = await loadPeer(peer, () =>
    Promise.all([import('axe-core'), import('jsdom')]),
  );
  return { axe: axe.default.source, jsdom };
}

// rules that need layout, and rules about whole documents
const needsLayout = [
  'color-contrast',
  'color-contrast-enhanced',
  'target-size',
  'scrollable-region-focusable',
  'css-orientation-lock',
];
const aboutDocuments = [
  'html-has-lang',
  'document-title',
  'landmark-one-main',
  'page-has-heading-one',
  'region',
  'bypass',
];

/** Rules that axe never decides without layout. */
export const withoutLayout: readonly string[] = needsLayout;

/** Runs axe over a page. It never runs the scripts of the page and never loads anything. */
export async function runAxe(
  page: Page,
  { axe, jsdom }: AxePeers,
  tags: readonly string[],
): Promise<AxeAnswer> {
  const dom = new jsdom.JSDOM(page.source, {
    includeNodeLocations: true,
    runScripts: 'outside-only',
    virtualConsole: new jsdom.VirtualConsole(),
  });
  try {
    const off = [...needsLayout, ...(page.isDocument ? [] : aboutDocuments)];
    const options = {
      runOnly: { type: 'tag', values: tags },
      rules: Object.fromEntries(off.map((id) => [id, { enabled: false }])),
      iframes: false,
      resultTypes: ['violations', 'incomplete'],
    };
    dom.window.eval(axe);
    const told: unknown =
      await dom.window.eval(`axe.run(document, ${JSON.stringify(options)}).then((result) => {
      const short = (rule) => ({ id: rule.id, impact: rule.impact, help: rule.help, helpUrl: rule.helpUrl,
        nodes: rule.nodes.map((node) => ({ selector: node.target.flat(9).join(' '), html: node.html, summary: node.failureSummary || '' })) });
      return JSON.stringify({ violations: result.violations.map(short), incomplete: result.incomplete.map(short), passed: result.passes.length });
    })`);
    const { violations, incomplete, passed } = AnswerSchema.parse(JSON.parse(String(told)));
    return {
      violations: violations.map((rule) => placed(rule, dom, page)),
      incomplete: incomplete.map(({ id }) => id),
      passed,
    };
  } finally {
    dom.window.close();
  }
}

function placed(
  rule: z.infer<typeof RuleSchema>,
  dom: InstanceType<AxePeers['jsdom']['JSDOM']>,
  page: Page,
): AxeRule {
  const nodes = rule.nodes.map((node) => {
    const element = elementAt(dom, node.selector);
    const place = element === null ? undefined : placeOf(dom, element);
    const evidence =
      place === undefined
        ? ''
        : page.source.slice(place.startOffset, Math.min(place.endOffset, place.startOffset + 500));
    return { ...node, line: place === undefined ? 1 : page.lineAt(place.startOffset), evidence };
  });
  return { ...rule, nodes };
}

/** Returns the place of the start tag, if any. */
function placeOf(
  dom: InstanceType<AxePeers['jsdom']['JSDOM']>,
  element: Element,
): { readonly startOffset: number; readonly endOffset: number } | undefined {
  const location = dom.nodeLocation(element);
  if (location === undefined || location === null) return undefined;
  const tag: unknown = Reflect.get(location, 'startTag');
  return isRange(tag) ? tag : location;
}

function isRange(
  value: unknown,
): value is { readonly startOffset: number; readonly endOffset: number } {
  return (
    typeof value === 'object' && value !== null && 'startOffset' in value && 'endOffset' in value
  );
}

function elementAt(
  dom: InstanceType<AxePeers['jsdom']['JSDOM']>,
  selector: string,
): Element | null {
  try {
    return dom.window.document.querySelector(selector);
  } catch {
    return null;
  }
}
