/** One `<style>` block of a page or component. */
export interface StyleBlock {
  readonly css: string;
  readonly language: string | undefined;
}

const longest = 5_000_000;

/**
 * Returns the `<style>` blocks of a page or component. The rest is blanked, so lines and offsets
 * stay.
 */
export function stylesIn({
  type,
  path,
  content = '',
}: {
  readonly type: string;
  readonly path: string;
  readonly content?: string | undefined;
}): StyleBlock[] {
  if (!/\.(?:x?html?|vue|svelte|astro)$/i.test(path) && type !== 'mockup' && type !== 'html')
    return [];
  if (content.length > longest || !/<style/i.test(content)) return [];
  const plain: { readonly start: number; readonly end: number }[] = [];
  const foreign: StyleBlock[] = [];
  const hidden = content.replaceAll(
    /<!--[\s\S]*?(?:-->|$)|<script\b[^<>]*>[\s\S]*?(?:<\/script|$)/gi,
    blank,
  );
  for (const { attributes, start, end } of blocksOf(hidden)) {
    const language = /\blang\s*=\s*["']?([\w-]+)/i.exec(attributes)?.[1]?.toLowerCase();
    if (language === undefined || language === 'css' || language === 'postcss')
      plain.push({ start, end });
    else foreign.push({ css: keep(content, [{ start, end }]), language });
  }
  return [
    ...(plain.length === 0 ? [] : [{ css: keep(content, plain), language: undefined }]),
    ...foreign,
  ];
}

function* blocksOf(
  text: string,
): Generator<{ readonly attributes: string; readonly start: number; readonly end: number }> {
  const opening = /<style\b([^>]{0,1000})>/gi;
  for (let tag = opening.exec(text); tag !== null; tag = opening.exec(text)) {
    const start = tag.index + tag[0].length;
    const closing = /<\/style/gi;
    closing.lastIndex = start;
    const end = closing.exec(text)?.index ?? text.length;
    opening.lastIndex = end;
    yield { attributes: tag[1] ?? '', start, end };
  }
}

function keep(
  content: string,
  blocks: readonly { readonly start: number; readonly end: number }[],
): string {
  let at = 0;
  const parts: string[] = [];
  for (const { start, end } of blocks) {
    parts.push(blank(content.slice(at, start)), content.slice(start, end));
    at = end;
  }
  return parts.join('');
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}
