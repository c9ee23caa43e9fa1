/** What the page of every report contains near its start. */
export const reportMark = '<meta name="generator" content="reviewloop">';

/** The sign of the product in a tab, as an address that loads nothing. */
export const favicon =
  '<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 32 32%22 fill=%22none%22 stroke=%22%2314867d%22 stroke-width=%223.4%22 stroke-linecap=%22round%22%3E%3Cpath d=%22M25.6 8.1A12.2 12.2 0 1 0 28.2 16M26.6 2.6v6.2h-6.2M10.6 16.3l4 4 7-7.8%22/%3E%3C/svg%3E">';
