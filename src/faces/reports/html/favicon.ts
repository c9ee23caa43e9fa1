const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-3 5 56 38" fill="none" stroke="#14867d" stroke-width="5" stroke-linecap="round" stroke-linejoin="round"><path d="M25 24C21 16.6 17.6 12.2 11.8 12.2A11.8 11.8 0 1 0 11.8 35.8C17.6 35.8 21 31.4 25 24S32.4 12.2 38.2 12.2A11.8 11.8 0 1 1 38.2 35.8C32.4 35.8 29 31.4 25 24"/><path d="M33.4 24.2L36.9 27.7L43.2 20.6" stroke-width="4.2"/></svg>';

/** Same as docs/pictures/favicon.svg; the page asks for no file. */
export const favicon = `<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(svg)}">`;
