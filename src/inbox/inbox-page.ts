import { script, style, views } from '#inbox-shell';
import { favicon } from '../reports/html/favicon.js';
import { inboxResponse, Refusal } from './inbox-response.js';

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
${favicon}
<title>Inbox</title>
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<noscript>The inbox needs scripts.</noscript>
<script>${script}</script>
</body>
</html>
`;

/**
 * Returns the page without any data.
 *
 * @throws Refusal 405
 */
export function inboxPage(request: Request): Response {
  return fileFor(request, page, 'text/html');
}

/**
 * Returns the program that shows a run, without any data.
 *
 * @throws Refusal 405
 */
export function inboxViews(request: Request): Response {
  return fileFor(request, views, 'text/javascript');
}

function fileFor({ method }: Request, text: string, type: string): Response {
  if (method !== 'GET')
    throw new Refusal(405, 'method', {
      message: 'this address takes GET only',
      headers: { allow: 'GET' },
    });
  return inboxResponse(200, text, { 'content-type': `${type}; charset=utf-8` });
}
