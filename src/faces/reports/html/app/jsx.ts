/** What elements become; scripts/report-shell.mjs adds it to every file of the pages. */
export { Fragment, h } from 'preact';
