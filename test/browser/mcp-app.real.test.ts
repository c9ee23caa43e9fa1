import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Frame } from 'playwright-core';
import { expect, it, onTestFinished, vi } from 'vitest';
import { appPage } from '@/faces/mcp/app-page.js';
import { describeInBrowser, openPage, violationsOf } from '../support/browser.js';
import { asking } from '../system/mcp-harness.js';

vi.setConfig({ testTimeout: 120_000 });

/** What a client of MCP Apps allows a page that names no other host. */
const policy =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'none'";

/** The page of a client: the app in a sandbox, to which it speaks as the specification says. */
const hostPage = `<!doctype html>
<html lang="en">
<title>Client</title>
<style>body { margin: 0 } iframe { border: 0; width: 100%; height: 10px }</style>
<iframe sandbox="allow-scripts" src="/app" title="reviewloop"></iframe>
<script>
const frame = document.querySelector('iframe');
const answers = new Map();
const send = (message) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*');
window.tell = (method, params) => send({ method, params });
window.ask = (method) => new Promise((resolve) => {
  answers.set(method, resolve);
  send({ id: method, method, params: {} });
});
addEventListener('message', async ({ data, source }) => {
  if (source !== frame.contentWindow) return;
  const { id, method, params } = data;
  if (method === undefined) answers.get(id)(data.result ?? data.error.code);
  if (method === 'ui/notifications/size-changed') frame.style.height = params.height + 'px';
  if (method === 'ui/initialize') {
    const hostContext = { theme: 'dark' };
    send({ id, result: { protocolVersion: params.protocolVersion, hostContext } });
  }
  if (method === 'ui/notifications/initialized') {
    window.tell('ui/notifications/tool-input', { arguments: {} });
    window.tell('ui/notifications/tool-result', await window.callTool('show_report'));
  }
  if (method === 'tools/call')
    window.callTool(params.name, params.arguments).then(
      (result) => send({ id, result }),
      ({ message }) => send({ id, error: { code: -32000, message } }),
    );
});
</script>
</html>
`;

type Call = (name: string, input?: Record<string, unknown>) => Promise<unknown>;

/** The app in a client whose tools are `call`. */
async function shown(call: Call, width = 1280) {
  const server = createServer(({ url }, response) => {
    const page = url === '/app' ? appPage : hostPage;
    const rules = url === '/app' ? { 'content-security-policy': policy } : {};
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...rules }).end(page);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => server.close().closeAllConnections());
  const { page, errors, requests } = await openPage({ viewport: { width, height: 900 } });
  await page.exposeFunction('callTool', call);
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const frame = page.frames().find((one) => one.url().endsWith('/app'));
  if (frame === undefined) throw new Error('the client shows no app');
  return { page, frame, errors, requests };
}

/** A project with a question, in a client of apps over the real server. */
async function app(given: { readonly flags?: readonly string[]; readonly width?: number } = {}) {
  const { client, audit } = await asking({ mode: 'auto', apps: true, flags: given.flags ?? [] });
  const calls: [string, unknown][] = [];
  const opened = await shown(async (name, input = {}) => {
    calls.push([name, input]);
    return client.callTool({ name, arguments: input });
  }, given.width);
  return { ...opened, calls, audit };
}

function sidewaysIn(frame: Frame): Promise<number> {
  return frame.evaluate('document.documentElement.scrollWidth - innerWidth');
}

async function answerYes(frame: Frame): Promise<void> {
  expect(await frame.isDisabled('button')).toBe(true);
  await frame.check('text=Yes, met');
  await frame.click('button');
}

describeInBrowser('the app of the MCP server in a client', () => {
  it.each([1280, 320])(
    'shows the report, and records an answer that does not count, %i px',
    async (width) => {
      const { page, frame, calls, audit, errors, requests } = await app({ width });
      await frame.waitForSelector('h1:has-text("NOT APPROVED")');
      expect(await frame.textContent('legend')).toContain('R1: The shop must feel warm');
      const check = async () => {
        expect(await violationsOf(frame)).toEqual([]);
        expect(await sidewaysIn(frame)).toBe(0);
        // the client gives the page the height that it asks for
        await expect
          .poll(() =>
            frame.evaluate('innerHeight > 100 && document.body.scrollHeight <= innerHeight'),
          )
          .toBe(true);
      };
      await check();
      await answerYes(frame);
      await frame.waitForSelector('[role=status]:has-text("recorded: R1=yes by mcp:desk")');
      expect(await frame.textContent('[role=status]')).toContain('it does not count');
      expect(await frame.textContent('h1')).not.toMatch(/^APPROVED/);
      expect(audit()).toContain('not counted: R1=yes');
      await check();
      expect(calls.map(([name]) => name)).toEqual(['show_report', 'decide']);
      expect(errors).toEqual([]);
      expect(requests).toHaveLength(2);
      const scheme = () => frame.evaluate('document.documentElement.style.colorScheme');
      expect(await scheme()).toBe('dark');
      await page.evaluate("tell('ui/notifications/host-context-changed', { theme: 'light' })");
      await expect.poll(scheme).toBe('light');
      expect(await page.evaluate("ask('ping')")).toEqual({});
      expect(await page.evaluate("ask('ui/resource-teardown')")).toEqual({});
      expect(await page.evaluate("ask('ui/else')")).toBe(-32601);
    },
  );

  it('approves by an answer in a client that a person trusts', async () => {
    const { frame } = await app({ flags: ['--trust-client'] });
    await frame.waitForSelector('legend');
    await answerYes(frame);
    await frame.waitForSelector('h1:text-matches("^APPROVED", "")');
    expect(await frame.isVisible('form')).toBe(false);
  });

  const report = { headline: 'NOT APPROVED', reason: 'open', gaps: [], open: [], more: 0 };
  it.each([
    ['nothing', undefined],
    ['text alone', { content: [{ type: 'text', text: 'APPROVED' }] }],
    ['no headline', { structuredContent: { ...report, headline: undefined } }],
    ['no questions', { structuredContent: { ...report, open: undefined } }],
    ['a question without places', { structuredContent: { ...report, open: [{ id: 'R1' }] } }],
  ])('says that the client sent no report: %s', async (_, result) => {
    const { frame, errors } = await shown(async () => result);
    await frame.waitForSelector('h1:has-text("The client sent no report")');
    expect(await frame.isVisible('form')).toBe(false);
    expect(await frame.textContent('main')).not.toContain('APPROVED');
    expect(errors).toEqual([]);
  });

  it('says why a call failed, and keeps what it shows, however long its words are', async () => {
    const long = 'w'.repeat(200);
    const passages = [{ file: long, line: 1, quote: long }];
    const question = { id: 'R1', text: long, why: long, passages, must: true };
    const gap = { severity: 'major', place: long, text: '<b>no</b>', fix: '' };
    const structuredContent = { ...report, gaps: [gap], open: [question] };
    const { page, frame } = await shown(async (name) => {
      if (name === 'decide') throw new Error('the client refuses');
      return { structuredContent };
    }, 320);
    await frame.waitForSelector('legend');
    expect(await sidewaysIn(frame)).toBe(0);
    expect(await frame.textContent('li')).toContain('<b>no</b>');
    await answerYes(frame);
    await frame.waitForSelector('[role=status]:has-text("the client refuses")');
    const content = [{ type: 'text', text: 'the run has another version now' }];
    await page.evaluate(
      (params) => Reflect.get(window, 'tell')('ui/notifications/tool-result', params),
      { isError: true, content },
    );
    await frame.waitForSelector('[role=status]:has-text("another version")');
    expect(await frame.textContent('h1')).toBe('NOT APPROVED');
    await page.evaluate("tell('ui/notifications/tool-cancelled', {})");
    await frame.waitForSelector('[role=status]:has-text("ended the call")');
  });
});
