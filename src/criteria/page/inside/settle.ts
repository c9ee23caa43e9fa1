import type { PageTools } from './page-tools.js';

/** Resolves when the page and what it refers to have arrived. It runs inside the page. */
export function loaded(_tools: PageTools): Promise<boolean> {
  return new Promise((resolve) => {
    if (document.readyState === 'complete') resolve(true);
    else addEventListener('load', () => resolve(true), { once: true });
  });
}

/** Ends animations, and hides what blinks. It adds no element, so selectors match as before. */
export function settle(_tools: PageTools): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    '*, ::before, ::after { caret-color: transparent !important; transition: none !important; scroll-behavior: auto !important }',
  );
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  for (const animation of document.getAnimations())
    try {
      animation.finish();
    } catch {
      animation.cancel();
    }
}
