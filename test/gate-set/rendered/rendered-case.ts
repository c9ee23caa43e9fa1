import type { GateTruth } from '../types.js';

/** A page, and what a careful person who looks at it says about requirements. */
export interface RenderedCase {
  readonly name: string;
  readonly content: string;
  /** What a person says who looks at the page on a screen, and on a phone. */
  readonly labels: Readonly<Record<string, GateTruth>>;
}

/** Takes the labels of a page with a style and a body. */
export const rendered =
  (name: string, style: string, body: string) =>
  (labels: RenderedCase['labels']): RenderedCase => ({
    ...{ name, labels },
    content: `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>A page</title><style>${style}</style></head>
<body>${body}</body>
</html>
`,
  });
