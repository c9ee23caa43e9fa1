export declare function bundleOf(
  contents: string,
  root: string,
): Promise<{ readonly text: string; readonly kilobytes: number }>;
