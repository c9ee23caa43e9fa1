import type { Found } from '../../artifact-criterion.js';
import { type FileState, stateOfFile } from '../../files/known-files.js';
import { attribute, type Page } from '../dom.js';
import { type Reference, type ReferenceKind, referencesOf } from '../model/references.js';
import { foundAt, uncheckedAt } from '../place.js';
import type { HtmlJudgement, HtmlRule, HtmlSubject } from '../rule.js';

/** What the criterion for links of texts judges, too, if files of the kind were given. */
const linked: ReadonlySet<ReferenceKind> = new Set([
  'script',
  'stylesheet',
  'icon',
  'linked file',
  'frame',
]);

const wasNotGiven = 'was not given';

/** The rule for the files that pages load. */
export const resourcesExist: HtmlRule = {
  id: 'resources-exist',
  name: 'Files of pages exist',
  description: 'The pictures, media, scripts, styles and frames of a page exist',
  severity: 'major',
  category: 'missing',
  version: 1,
  things: 'local files',
  suggestedFix: 'Add the file, or correct its address',
  repairs: false,
  readsFiles: true,
  judge: (subject) => {
    const read = subject.pages.map((page) => judgePage(page, subject));
    return {
      judged: read.reduce((sum, { judged }) => sum + judged, 0),
      findings: read.flatMap(({ findings }) => findings),
      unchecked: read.flatMap(({ unchecked = [] }) => unchecked),
    };
  },
};

function judgePage(page: Page, { artifacts, files }: HtmlSubject): HtmlJudgement {
  const findings: Found[] = [];
  const unchecked: string[] = [];
  let judged = 0;
  // addresses of a fragment are relative to a page that is not known
  const isElsewhere =
    !page.isDocument ||
    page.elements.some(
      (element) => element.tagName === 'base' && attribute(element, 'href') !== undefined,
    );
  for (const reference of referencesOf(page)) {
    const state = stateOfFile(reference.address, { from: page.file, artifacts, files });
    if (state.is === 'elsewhere') continue;
    const reason =
      isElsewhere && state.is === 'missing' ? wasNotGiven : openAbout(reference, state);
    if (reason !== undefined) {
      unchecked.push(uncheckedAt(page, reference.element, `${shown(reference)} ${reason}`));
      continue;
    }
    judged += 1;
    if (state.is === 'missing') findings.push(missing(page, reference, state.path.slice(0, 200)));
  }
  return { judged, findings, unchecked };
}

/** Returns why it is open whether a file exists. */
function openAbout({ kind }: Reference, state: FileState): string | undefined {
  if (state.is === 'unknown') return wasNotGiven;
  return state.is === 'missing' && state.because === 'given' && linked.has(kind)
    ? 'is judged by text-links'
    : undefined;
}

function missing(page: Page, { element, kind }: Reference, path: string): Found {
  return foundAt(page, element, {
    description: `the ${kind} ${path} is missing`,
    suggestedFix: `Add ${path} to the output, or correct the address`,
  });
}

function shown({ address }: Reference): string {
  return address.slice(0, 120);
}
