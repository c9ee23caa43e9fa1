/** What the page of every report contains near its start. */
export const reportMark = '<meta name="generator" content="reviewloop">';
