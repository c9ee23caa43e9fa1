export const appUri = 'ui://reviewloop/report';

/**
 * A report, and what a person decides about it. It connects to nothing; data come from the client,
 * and are shown as text only.
 */
export const appPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>reviewloop</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 1rem; overflow-wrap: anywhere }
h1 { font-size: 1.1rem }
fieldset { border: 1px solid; border-radius: 6px; margin: 0 0 1rem }
label, button { display: inline-block; min-height: 44px; padding: 0 .75rem; font: inherit }
blockquote { margin: .25rem 0; padding-left: .75rem; border-left: 3px solid }
</style>
<main>
<h1>The report comes from the client</h1>
<p id="reason"></p>
<ul id="gaps"></ul>
<form hidden>
<div id="open"></div>
<p><label>What is missing? <input name="why"></label></p>
<button type="button" disabled>Send</button>
</form>
<p role="status"></p>
</main>
<script>
'use strict';
const find = (name) => document.querySelector(name);
const add = (parent, tag, text) => {
  const made = parent.appendChild(document.createElement(tag));
  if (text !== undefined) made.textContent = text;
  return made;
};
const waiting = new Map();
let last = 0;
let run;
const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
const ask = (method, params) =>
  new Promise((resolve, reject) => {
    last += 1;
    waiting.set(last, { resolve, reject });
    send({ id: last, method, params });
  });
const tell = (text) => void (find('[role=status]').textContent = text);
function show(result) {
  const { structuredContent: data, content, isError } = result ?? {};
  tell(data?.said ?? (isError ? content?.[0]?.text : '') ?? '');
  if (isError) return;
  try {
    fill(data);
  } catch {
    // half a report would be worse than none
    for (const name of ['#reason', '#gaps', '#open']) find(name).textContent = '';
    find('h1').textContent = 'The client sent no report';
    find('form').hidden = true;
  }
}
function fill(data) {
  if (typeof data.headline !== 'string') throw new TypeError('no report');
  run = data;
  find('h1').textContent = run.headline;
  find('#reason').textContent = run.reason;
  const gaps = find('#gaps');
  gaps.replaceChildren();
  for (const { severity, place, text, fix } of run.gaps)
    add(gaps, 'li', severity + ' ' + place + ' ' + text + (fix ? ' Fix: ' + fix : ''));
  if (run.more > 0) add(gaps, 'li', 'and ' + run.more + ' more');
  const open = find('#open');
  open.replaceChildren();
  for (const { id: name, text, why, passages } of run.open) {
    const set = add(open, 'fieldset');
    add(set, 'legend', name + ': ' + text);
    add(set, 'p', why);
    for (const { file, line, quote } of passages.slice(0, 3))
      add(set, 'blockquote', file + ':' + line + ': ' + quote);
    for (const [value, title] of [['yes', 'Yes, met'], ['no', 'No'], ['', 'Cannot tell']]) {
      const label = add(set, 'label');
      const input = add(label, 'input');
      Object.assign(input, { type: 'radio', name, value });
      label.append(' ' + title);
    }
  }
  find('form').hidden = run.open.length === 0;
  find('button').disabled = true;
}
const decisions = () =>
  Object.fromEntries([...new FormData(find('form'))].filter(([name, value]) => name !== 'why' && value));
find('form').addEventListener('input', () => {
  find('button').disabled = Object.keys(decisions()).length === 0;
});
// a sandbox without allow-forms lets no form be submitted
find('button').addEventListener('click', () => {
  find('button').disabled = true;
  const reason = find('[name=why]').value || undefined;
  const input = { run: run.runId, version: run.version, decisions: decisions(), reason };
  ask('tools/call', { name: 'decide', arguments: input }).then(show, (error) =>
    tell(String(error?.message ?? error)),
  );
});
const dress = ({ theme } = {}) => {
  if (theme) document.documentElement.style.colorScheme = theme;
};
addEventListener('message', ({ data, source }) => {
  if (source !== parent || data?.jsonrpc !== '2.0') return;
  const { id, method, params, result, error } = data;
  if (method === undefined) {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) asked?.resolve(result);
    else asked?.reject(error);
  } else if (id !== undefined) {
    const isKnown = ['ping', 'ui/resource-teardown'].includes(method);
    send({ id, ...(isKnown ? { result: {} } : { error: { code: -32601, message: 'unknown' } }) });
  } else if (method === 'ui/notifications/tool-result') show(params);
  else if (method === 'ui/notifications/tool-cancelled') tell('The client ended the call.');
  else if (method === 'ui/notifications/host-context-changed') dress(params);
});
// without it a client shows a strip of the page
const fit = new ResizeObserver(() => {
  const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
  send({ method: 'ui/notifications/size-changed', params: { height } });
});
ask('ui/initialize', {
  protocolVersion: '2026-01-26',
  appInfo: { name: 'reviewloop', version: '1' },
  appCapabilities: {},
}).then(
  (client) => {
    dress(client?.hostContext);
    send({ method: 'ui/notifications/initialized' });
    fit.observe(document.documentElement);
  },
  (error) => tell('The client refuses this page: ' + error?.message),
);
</script>
</html>
`;
