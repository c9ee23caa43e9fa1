export declare function bundleOf(
  contents: string,
  root: string,
  external?: readonly string[],
): Promise<{ readonly text: string; readonly kilobytes: number; readonly withLater: number }>;
