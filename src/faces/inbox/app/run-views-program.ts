import { createContext, Fragment, type FunctionComponent, h } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { RunPanelProps } from './run-panel.js';

/** What the two programs of the page share. scripts/report-shell.mjs names the same parts. */
interface SharedPrograms {
  readonly parts: object;
  /** Set by the second program. */
  RunPanel?: FunctionComponent<RunPanelProps>;
}

declare global {
  var reviewloop: SharedPrograms | undefined;
}

globalThis.reviewloop = {
  parts: { createContext, Fragment, h, useContext, useEffect, useRef, useState },
};

let loading: Promise<FunctionComponent<RunPanelProps>> | undefined;

/**
 * The list does not need them. The content policy of the page names their hash, so that it accepts
 * no other text.
 */
export function loadRunPanel(): Promise<FunctionComponent<RunPanelProps>> {
  loading ??= readPanel().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function readPanel(): Promise<FunctionComponent<RunPanelProps>> {
  const response = await fetch('views.js');
  const script = document.createElement('script');
  script.textContent = await response.text();
  document.head.append(script);
  const panel = globalThis.reviewloop?.RunPanel;
  if (panel === undefined) throw new Error('the views are of another version; load the page again');
  return panel;
}
