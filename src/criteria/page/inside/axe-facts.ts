import type { PageTools } from './page-tools.js';

interface AxeCheck {
  readonly message?: string;
  readonly data?: {
    readonly contrastRatio?: number;
    readonly expectedContrastRatio?: string;
    readonly fgColor?: string;
    readonly bgColor?: string;
  } | null;
}

interface AxeNode {
  readonly element?: Element;
  readonly failureSummary?: string;
  readonly any: readonly AxeCheck[];
}

interface AxeRule {
  readonly id: string;
  readonly impact?: string | null;
  readonly help: string;
  readonly helpUrl: string;
  readonly nodes: readonly AxeNode[];
}

interface AxeResult {
  readonly violations: readonly AxeRule[];
  readonly incomplete: readonly AxeRule[];
  readonly passes: readonly AxeRule[];
}

declare const axe: {
  readonly getRules: () => readonly { readonly ruleId: string; readonly actIds?: string[] }[];
  readonly run: (context: unknown, options: unknown) => Promise<AxeResult>;
};

/** What axe is asked. */
export interface AxeQuestion {
  readonly tags: readonly string[];
  readonly off: readonly string[];
}

/** Runs axe and returns its answer as data. It runs inside the page. */
export async function axeFacts(tools: PageTools, { tags, off }: AxeQuestion) {
  const result = await axe.run(document, {
    runOnly: { type: 'tag', values: tags },
    rules: {
      'target-size': { enabled: true },
      ...Object.fromEntries(off.map((id) => [id, { enabled: false }])),
    },
    iframes: false,
    preload: false,
    elementRef: true,
    resultTypes: ['violations', 'incomplete'],
  });
  const nodeOf = (node: AxeNode) => {
    const data = node.any[0]?.data;
    const element = node.element ?? document.documentElement;
    return {
      place: tools.place(element),
      why: node.any[0]?.message ?? '',
      ratio: data?.contrastRatio ?? 0,
      bar: Number.parseFloat(data?.expectedContrastRatio ?? '4.5'),
      colours: data?.fgColor === undefined ? '' : `${data.fgColor} on ${data.bgColor}`,
    };
  };
  const acts = new Map(axe.getRules().map(({ ruleId, actIds = [] }) => [ruleId, actIds]));
  const ruleOf = ({ id, impact, help, helpUrl, nodes }: AxeRule) => ({
    id,
    impact: impact ?? '',
    help,
    helpUrl,
    act: acts.get(id) ?? [],
    nodes: nodes.map(nodeOf),
  });
  return {
    violations: result.violations.map(ruleOf),
    incomplete: result.incomplete.map(ruleOf),
    passed: result.passes.map(({ id, nodes }) => ({ id, count: nodes.length })),
  };
}
