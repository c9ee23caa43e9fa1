import { render } from 'preact';
import type { ReportModel } from '../report-model.js';
import { App } from './app.js';
import { routeOf } from './route.js';

const root = document.getElementById('app');
const data = document.getElementById('data');

if (root !== null && data !== null) {
  const model: ReportModel = JSON.parse(data.textContent ?? '');
  const show = (print: boolean) => {
    const route = routeOf(location.hash, model.runs.length);
    const run = route.view === 'runs' ? undefined : model.runs[route.run];
    if (model.runs.length > 1) document.title = run === undefined ? model.title : titleOf(run);
    render(<App model={model} route={route} print={print} />, root);
  };
  let shown = location.hash;
  show(false);
  addEventListener('hashchange', () => {
    // the link to the content stays in the same view
    if (location.hash === '#main') history.replaceState(null, '', shown || '#run');
    else {
      shown = location.hash;
      show(false);
      scrollTo(0, 0);
    }
    document.getElementById('main')?.focus({ preventScroll: true });
  });
  addEventListener('beforeprint', () => show(true));
  addEventListener('afterprint', () => show(false));
}

/** The tab shows what was decided, and about which task. */
function titleOf({ verdict, title }: ReportModel['runs'][number]): string {
  return `${verdict.word.split(':')[0]}: ${title}`;
}
