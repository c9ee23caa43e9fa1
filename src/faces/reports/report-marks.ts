/** At the start of the JUnit report. */
export const junitMark = '<!-- reviewloop report -->';

export const markdownMark = '<!-- reviewloop report -->';

export const reportMark = '<meta name="generator" content="reviewloop">';
