/** A text without lines that look like markers of the payload. */
export interface EscapedText {
  readonly text: string;
  readonly altered: number;
}

/** Characters that look like those of markers. */
const equals = '[=\uff1d\u2550\ufe66]';
const dash = '[-\u2010-\u2015\u2212\u2500\uff0d\ufe63]';

const possible = new RegExp(`${equals}{5}|${dash}{10}`);
const breaks = '\\n\\r\\v\\f\\u0085\\u2028\\u2029';
const space = `[^\\S${breaks}]*`;
const rest = `[^${breaks}]*`;
const marker = new RegExp(
  `(^|[${breaks}])(?=${space}(?:${equals}{5,}${space}(?:BEGIN|END|AUTHOR)\\b${rest}${equals}{3}|${dash}{15,}${space}[^\\s-]${rest}${dash}{15,})${space}(?:$|[${breaks}]))`,
  'giu',
);

/** Returns a text with a backslash before each line that looks like a marker. */
export function escapeMarkers(text: string): EscapedText {
  if (!possible.test(text)) return { text, altered: 0 };
  let altered = 0;
  const safe = text.replace(marker, (start) => {
    altered += 1;
    return `${start}\\`;
  });
  return { text: safe, altered };
}

/** Returns a path or name with escaped line breaks and control characters. */
export function inOneLine(name: string): string {
  return name.replace(
    /[\p{Cc}\p{Zl}\p{Zp}]/gu,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
