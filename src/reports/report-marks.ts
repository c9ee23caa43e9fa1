/** What the JUnit report contains at its start. */
export const junitMark = '<!-- reviewloop report -->';

/** What the Markdown report begins with. */
export const markdownMark = '<!-- reviewloop report -->';

/** What the page of every report contains near its start. */
export const reportMark = '<meta name="generator" content="reviewloop">';
