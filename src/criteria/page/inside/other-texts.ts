import type { OtherTexts } from '../claims/page-facts.js';
import type { PageTools } from './page-tools.js';

/** Returns what a page may show as text besides the text of its elements. It runs inside the page. */
export function otherTexts(_tools: PageTools): OtherTexts {
  const most = 200_000;
  const names = ['placeholder', 'value', 'alt', 'title', 'label', 'aria-label', 'srcdoc'];
  const all = [...document.querySelectorAll('body, body *')];
  const attributes = all.flatMap((element) =>
    names.map((name) => element.getAttribute(name) ?? ''),
  );
  const values = all.flatMap((element) =>
    element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
      ? [element.value]
      : [],
  );
  const generated = all.flatMap((element) =>
    ['::before', '::after', '::marker'].map((part) => getComputedStyle(element, part).content),
  );
  const written = generated.filter((content) => /"|attr|counter/.test(content));
  const isLarge = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect();
    return width >= 40 && height >= 12;
  };
  const isPicture = (element: Element): boolean =>
    element.matches('img, picture, canvas, video, svg, object, embed, input[type="image"]') ||
    ['', '::before', '::after'].some((part) =>
      getComputedStyle(element, part === '' ? undefined : part).backgroundImage.includes('url('),
    );
  return {
    attributes: [...attributes, ...values]
      .filter((text) => text !== '')
      .join('\n')
      .slice(0, most),
    generated: written.join('\n').slice(0, most),
    counted: written.some((content) => /attr|counter/.test(content)),
    whole: (document.body.textContent ?? '').slice(0, most),
    pictures: all.some((element) => isLarge(element) && isPicture(element)),
    scripts: document.scripts.length > 0,
  };
}
