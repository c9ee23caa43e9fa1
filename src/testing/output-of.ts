import type { AgentOutput } from '../self-review/agent.js';

const types: Readonly<Record<string, string>> = {
  html: 'mockup',
  htm: 'mockup',
  css: 'stylesheet',
  md: 'document',
};

/**
 * Returns an output with files. The type follows the extension: `html` is a mockup, `css` a
 * stylesheet, `md` a document, all others are code.
 *
 * @example
 * ```ts
 * outputOf({ 'login.html': '<form></form>', 'login.css': 'form {}' });
 * ```
 */
export function outputOf(files: Readonly<Record<string, string>>): AgentOutput {
  return {
    artifacts: Object.entries(files).map(([path, content]) => ({
      type: typeOf(path),
      path,
      content,
    })),
  };
}

function typeOf(path: string): string {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return (Object.hasOwn(types, extension) ? types[extension] : undefined) ?? 'code';
}
