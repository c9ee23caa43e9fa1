// the package brings no types
declare module 'eslint-plugin-no-unsanitized' {
  import type { ESLint } from 'eslint';

  const plugin: ESLint.Plugin;
  export default plugin;
}
