/** What vite adds. Its own declarations are not ours to import. */
interface ImportMeta {
  readonly glob: <Module>(
    pattern: string | readonly string[],
  ) => Record<string, () => Promise<Module>>;
}
