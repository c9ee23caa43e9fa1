import { createSocket } from 'node:dgram';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { closeIdleBrowsers, pageCriteria } from '@/blocks/criteria/page/index.js';
import type { PageOptions } from '@/blocks/criteria/page/page-options.js';
import type { CriterionResult } from '@/core/criterion.js';
import { describeInBrowser } from '../../../../support/browser.js';
import { errorWith } from '../../../../support/matchers.js';

afterAll(closeIdleBrowsers);

type Result = CriterionResult | Error;

/** Judges a page by all criteria; a criterion that throws gives its error. */
async function judged(content: string, options: PageOptions): Promise<Map<string, Result>> {
  const output = { artifacts: [{ type: 'mockup', path: 'index.html', content }] };
  const criteria = pageCriteria({ screenshots: 'none', ...options });
  const results = await Promise.allSettled(
    criteria.map((criterion) => criterion.validate(output, undefined, { previous: [] })),
  );
  return new Map(
    results.map((result, index) => [
      criteria[index]?.id ?? '',
      result.status === 'fulfilled' ? result.value : result.reason,
    ]),
  );
}

/** Counts what arrives at a port of this machine, over TCP and UDP. */
async function listener(): Promise<{ port: number; count: () => number; close: () => void }> {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const udp = createSocket('udp4');
  udp.on('message', () => {
    count += 1;
  });
  await new Promise<void>((resolve) => udp.bind(port, '127.0.0.1', resolve));
  return {
    port,
    count: () => count,
    close: () => {
      server.close();
      udp.close();
    },
  };
}

function talkative(port: number): string {
  const at = (path: string): string => `http://127.0.0.1:${port}/${path}`;
  return `<!DOCTYPE html><html lang="en"><head><title>T</title>
<link rel="preconnect" href="${at('')}"><link rel="dns-prefetch" href="//localhost:${port}">
<link rel="prefetch" href="${at('prefetch')}"><link rel="preload" as="image" href="${at('preload')}">
<link rel="stylesheet" href="${at('a.css')}"><link rel="icon" href="${at('icon')}"><link rel="manifest" href="${at('m')}">
<style>@import "${at('b.css')}"; @font-face { font-family: x; src: url(${at('x.woff2')}) } p { font-family: x; background: url(${at('bg')}) }</style>
<script src="${at('s.js')}"></script></head><body><p>Text</p>
<img src="${at('img')}" srcset="${at('img2')} 2x" alt="a"><iframe title="a" src="${at('frame')}"></iframe>
<video src="${at('v')}" poster="${at('poster')}" preload="auto"></video><audio src="${at('a')}" preload="auto"></audio>
<object data="${at('o')}"></object><embed src="${at('e')}"><a id="a" ping="${at('ping')}" href="${at('link')}">x</a>
<form id="f" method="post" action="${at('form')}"><button>x</button></form>
<script>
const quiet = (work) => { try { Promise.resolve(work()).catch(() => {}) } catch {} };
quiet(() => fetch('${at('fetch')}', { mode: 'no-cors' }));
quiet(() => fetch('http://localhost:${port}/fetch', { mode: 'no-cors' }));
quiet(() => navigator.sendBeacon('${at('beacon')}', 'x'));
quiet(() => new WebSocket('ws://127.0.0.1:${port}/'));
quiet(() => new EventSource('${at('events')}'));
quiet(() => new WebTransport('https://127.0.0.1:${port}/'));
quiet(() => new Worker('data:text/javascript,fetch("${at('worker')}")'));
quiet(() => window.open('${at('open')}'));
quiet(() => document.getElementById('f').submit());
quiet(() => document.getElementById('a').click());
quiet(() => { const x = new XMLHttpRequest(); x.open('GET', '${at('xhr')}'); x.send() });
quiet(async () => {
  const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${port}' }, { urls: 'turn:127.0.0.1:${port}', username: 'a', credential: 'b' }] });
  peer.createDataChannel('x');
  await peer.setLocalDescription(await peer.createOffer());
});
</script></body></html>`;
}

describeInBrowser('a page in the browser', () => {
  it.each([false, true])('sends nothing to this machine (scripts: %s)', async (scripts) => {
    const heard = await listener();
    try {
      const results = await judged(talkative(heard.port), { scripts, timeoutMs: 120_000 });
      expect([...results.values()].filter((result) => result instanceof Error)).toEqual([]);
      expect(heard.count()).toBe(0);
      // the listener hears
      await new Promise<void>((resolve) => {
        connect(heard.port, '127.0.0.1')
          .on('close', () => resolve())
          .resume();
      });
      expect(heard.count()).toBe(1);
    } finally {
      heard.close();
    }
  });

  it('reads no file of the machine', async () => {
    const results = await judged(
      '<!DOCTYPE html><html lang="en"><title>T</title><h1>T</h1><iframe title="a" src="file:///etc/passwd"></iframe><img alt="a" src="../../../../etc/hostname.png"><img alt="b" src="/etc/logo.svg">',
      { folder: import.meta.dirname, timeoutMs: 120_000 },
    );
    const found = results.get('page-resources');
    expect(found instanceof Error ? found : found?.findings?.map((one) => one.description)).toEqual(
      [
        expect.stringMatching(/etc\/hostname\.png is missing/),
        expect.stringMatching(/etc\/logo\.svg is missing/),
      ],
    );
  });

  it('fails by its time limit if it never ends', async () => {
    const results = await judged('<title>T</title><h1>T</h1><script>for (;;);</script>', {
      scripts: true,
      timeoutMs: 8000,
    });
    for (const result of results.values())
      expect(result).toMatchObject(errorWith('browser_failed', /index\.html/));
    // the next page gets a browser that works
    const next = await judged('<!DOCTYPE html><html lang="en"><title>T</title><h1>Next</h1>', {
      timeoutMs: 120_000,
    });
    expect(next.get('page-axe')).toMatchObject({ passed: true });
  });

  it('fails if it allocates without end', async () => {
    const results = await judged(
      '<title>T</title><h1>T</h1><script>const all = []; for (;;) all.push(new Array(1e6).fill(Math.random()));</script>',
      { scripts: true, timeoutMs: 20_000 },
    );
    for (const result of results.values()) expect(result).toMatchObject({ code: 'browser_failed' });
  });

  it('is judged although it opens windows, dialogs and downloads', async () => {
    const results = await judged(
      `<!DOCTYPE html><html lang="en"><title>T</title><main><h1>T</h1><p style="color:#aaa">Pale</p></main>
<script>for (let i = 0; i < 5; i += 1) open('about:blank'); alert('a'); confirm('b'); prompt('c'); print();
onbeforeunload = () => 'stay'; location.href = '/other.html';</script>`,
      { scripts: true, timeoutMs: 120_000 },
    );
    expect(results.get('page-contrast')).toMatchObject({ passed: false });
  });

  it('cannot change how it is measured by its scripts', async () => {
    const results = await judged(
      `<!DOCTYPE html><html lang="en"><title>T</title><main><h1>T</h1><p style="color:#aaa">Pale text</p></main>
<script>window.axe = { run: async () => ({ violations: [], incomplete: [], passes: [] }) };
window.getComputedStyle = () => ({}); Array.prototype.map = () => []; JSON.stringify = () => '{}';
Element.prototype.getBoundingClientRect = () => ({});</script>`,
      { scripts: true, timeoutMs: 120_000 },
    );
    expect(results.get('page-contrast')).toMatchObject({ passed: false });
  });
});
