import type { ComponentChildren, JSX } from 'preact';
import { LinkContext, type Links } from '../../reports/html/app/links.js';
import type { View } from '../../reports/html/app/route.js';
import { HeadedView } from '../../reports/html/app/run-views.js';
import type { ModelRun } from '../../reports/html/report-model.js';

export interface RunPanelProps extends Links {
  readonly run: ModelRun;
  readonly view: View;
  readonly argument: string;
  readonly children: ComponentChildren;
}

function RunPanel({ run, view, argument, to, children }: RunPanelProps): JSX.Element {
  return (
    <LinkContext.Provider value={{ to }}>
      <HeadedView view={view} run={run} argument={argument}>
        {children}
      </HeadedView>
    </LinkContext.Provider>
  );
}

// the second program of the page: the views of a run, for the first one
const { reviewloop } = globalThis;
if (reviewloop !== undefined) reviewloop.RunPanel = RunPanel;
