/** What the JUnit report contains at its start. */
export const junitMark = '<!-- reviewloop report -->';

export const markdownMark = '<!-- reviewloop report -->';

export const reportMark = '<meta name="generator" content="reviewloop">';
