import type { JSX } from 'preact';
import type { ModelRun } from '../report-model.js';
import { visible } from '../visible.js';
import { GapLanes } from './gap-lanes.js';
import { useLinks } from './links.js';
import { ScoreChart } from './score-chart.js';
import { Chip, Code, Command, durationText, Prose, plural, timeText } from './texts.js';
import { costText, tokensText } from './usage-text.js';

/** The verdict, what it rests on, what is open, and what to do. */
export function Overview({ run }: { readonly run: ModelRun }): JSX.Element {
  return (
    <>
      <Verdict run={run} />
      <Open run={run} />
      {run.next.length > 0 && (
        <section aria-labelledby="next">
          <h2 id="next">What to do next</h2>
          {run.next.map((command) => (
            <Command key={command}>{command}</Command>
          ))}
        </section>
      )}
      {run.reviews.length > 0 && (
        <section aria-labelledby="scores">
          <h2 id="scores">Scores</h2>
          <ScoreChart run={run} />
        </section>
      )}
      {Object.keys(run.gaps).length > 0 && (
        <section aria-labelledby="lanes">
          <h2 id="lanes">Gaps from review to review</h2>
          <GapLanes run={run} />
        </section>
      )}
      <Facts run={run} />
    </>
  );
}

/** Returns the kind of ending: it colours the verdict. */
export function endingOf({ approved, status }: Pick<ModelRun, 'approved' | 'status'>): string {
  if (approved) return 'approved';
  return ['accepted', 'suspended', 'inconclusive'].includes(status) ? status : 'rejected';
}

function Verdict({ run }: { readonly run: ModelRun }): JSX.Element {
  const best = run.reviews.find((review) => review.best);
  const counts = best?.counts;
  return (
    <section class={`verdict is-${endingOf(run)}`} aria-labelledby="verdict">
      <h1 id="verdict">
        <Prose>{run.headline}</Prose>
      </h1>
      {!run.headline.includes(run.reason) && (
        <p>
          <Prose>{run.reason}</Prose>
        </p>
      )}
      <dl class="facts">
        <dt>Decided by</dt>
        <dd>
          <Prose>{deciderOf(run)}</Prose>
        </dd>
        <dt>Rests on</dt>
        <dd>
          {counts === undefined
            ? 'no finished review of this version'
            : `${plural(counts.passed + counts.failed, 'verdict')}: ${counts.passed} passed, ${counts.failed} failed; ` +
              `${counts.undecided} undecided, ${plural(counts.errored, 'failed judge')}, ${counts.skipped} not applicable`}
        </dd>
        {run.audit?.intact === false && (
          <>
            <dt>Audit log</dt>
            <dd>
              <Chip kind="violated">broken</Chip>{' '}
              <Prose>{run.audit.problem ?? 'the chain of records is broken'}</Prose>
            </dd>
          </>
        )}
        <dt>Version</dt>
        <dd>
          {best === undefined ? 'none' : `review ${best.iteration}, `}
          {best !== undefined && <Code>{best.version.slice(0, 12)}</Code>}
        </dd>
      </dl>
    </section>
  );
}

function deciderOf(run: ModelRun): string {
  if (run.acceptance !== undefined)
    return `${run.acceptance.by} (${run.acceptance.kind}): ${run.acceptance.reason}`;
  return run.decidedBy ?? 'the reviewers and the policy';
}

function Open({ run }: { readonly run: ModelRun }): JSX.Element | null {
  const links = useLinks();
  const asked = run.waits.filter(({ answer }) => answer === undefined);
  if (run.undecided.length + run.failures.length + asked.length + run.notReviewed.length === 0)
    return null;
  return (
    <section aria-labelledby="open">
      <h2 id="open">What is open</h2>
      <ul class="open">
        {asked.map(({ question }) => (
          <li key={question}>
            <Chip kind="suspended">waits for a person</Chip> <Prose>{question}</Prose>
          </li>
        ))}
        {run.undecided.map(({ criterion, id, question, text }) => (
          <li key={criterion}>
            <Chip kind="undecided">undecided</Chip>{' '}
            {id !== undefined && (
              <>
                <a href={links.to(`requirements/${id}`)}>{visible(id)}</a>{' '}
              </>
            )}
            <Prose>{question ?? criterion}</Prose>{' '}
            <small>
              <Prose>{text}</Prose>
            </small>
          </li>
        ))}
        {run.failures.map(({ criterion, code, text }) => (
          <li key={criterion}>
            <Chip kind="errored">judge failed</Chip>{' '}
            <Prose>{`${criterion} (${code ?? 'error'}): ${text}`}</Prose>
          </li>
        ))}
        {run.notReviewed.map(({ path, reason }) => (
          <li key={path}>
            <Chip kind="skipped">not reviewed</Chip> <Prose>{`${path}: ${reason}`}</Prose>
          </li>
        ))}
      </ul>
      {run.requirements.length > 0 && <a href={links.to('requirements')}>All requirements</a>}
    </section>
  );
}

function Facts({ run }: { readonly run: ModelRun }): JSX.Element {
  return (
    <section aria-labelledby="facts">
      <h2 id="facts">The run</h2>
      <dl class="facts">
        <dt>Run</dt>
        <dd>
          <Code>{run.runId}</Code>
        </dd>
        <dt>Pipeline</dt>
        <dd>
          <Prose>{run.pipeline}</Prose>
        </dd>
        <dt>Task</dt>
        <dd>
          <Prose>{run.task.text ?? run.task.source}</Prose>
        </dd>
        <dt>Began</dt>
        <dd>{timeText(run.at)}</dd>
        <dt>Took</dt>
        <dd>{durationText(run.durationMs)}</dd>
        <dt>Tokens, cost</dt>
        <dd>
          {tokensText(run.usage)}, {costText(run.usage)}
        </dd>
        <dt>Files</dt>
        <dd>
          <Prose>{listed(run.files)}</Prose>
        </dd>
      </dl>
    </section>
  );
}

function listed(files: readonly string[]): string {
  const shown = files.slice(0, 20).join(', ');
  return files.length > 20 ? `${shown} and ${files.length - 20} more` : shown || 'none';
}
