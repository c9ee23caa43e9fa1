import type { Plugin } from 'esbuild';

export declare function reportShell(name?: string): Promise<{
  readonly shell: Readonly<
    Record<'script' | 'style' | 'scriptHash' | 'styleHash' | 'version', string> &
      Partial<Record<'views' | 'viewsHash', string>>
  >;
  /** The files that the script is made from. */
  readonly inputs: readonly string[];
}>;
export declare const esbuildReportShell: Plugin;
export declare function viteReportShell(): {
  readonly name: string;
  readonly enforce: 'pre';
  readonly resolveId: (source: string) => string | undefined;
  readonly load: (source: string) => Promise<string | undefined>;
};
