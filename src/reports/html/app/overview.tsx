import type { JSX } from 'preact';
import { timeText } from '../../time-text.js';
import type { ModelReview, ModelRun } from '../report-model.js';
import { GapLanes } from './gap-lanes.js';
import { RequirementLink, useLinks } from './links.js';
import { ScoreChart } from './score-chart.js';
import { Chip, Code, Command, durationText, Facts, Prose, Section } from './texts.js';
import { costText, tokensText } from './usage-text.js';

/** The verdict, what it rests on, what is open, and what to do. */
export function Overview({ run }: { readonly run: ModelRun }): JSX.Element {
  return (
    <>
      <Verdict run={run} />
      <Open run={run} />
      {run.next.length > 0 && (
        <Section id="next" title="What to do next">
          {run.next.map(({ why, command }) => (
            <Command key={command}>{why === '' ? command : `${command} # ${why}`}</Command>
          ))}
        </Section>
      )}
      {run.reviews.some(hasScore) && (
        <Section id="scores" title="Scores">
          <ScoreChart run={run} />
        </Section>
      )}
      {Object.keys(run.gaps).length > 0 && (
        <Section id="lanes" title="Gaps from review to review">
          <GapLanes run={run} />
        </Section>
      )}
      <About run={run} />
    </>
  );
}

function hasScore({ scores }: ModelReview): boolean {
  return scores.overall !== null || scores.judged > 0;
}

/** Returns the kind of ending: it colours the verdict. */
export function endingOf({ approved, status }: Pick<ModelRun, 'approved' | 'status'>): string {
  if (approved) return 'approved';
  return ['accepted', 'suspended', 'inconclusive'].includes(status) ? status : 'rejected';
}

function Verdict({ run }: { readonly run: ModelRun }): JSX.Element {
  const best = run.reviews.find((review) => review.best);
  // the first word of a page is what was decided
  const [status = '', detail] = run.verdict.word.split(/: (.*)/s);
  return (
    <section class={`verdict is-${endingOf(run)}`} aria-labelledby="verdict">
      <h1 id="verdict">
        <Prose>{status}</Prose>
        {detail && (
          <>
            <span class="hidden">: </span>
            <small>
              <Prose>{detail}</Prose>
            </small>
          </>
        )}
      </h1>
      {run.verdict.why !== '' && (
        <p>
          <Prose>{run.verdict.why}</Prose>
        </p>
      )}
      <Facts
        facts={[
          ['Decided by', <Prose key="by">{run.decidedBy}</Prose>],
          ['Rests on', run.restsOn],
          ['Audit log', brokenLog(run)],
          [
            'Version',
            best === undefined ? (
              'none'
            ) : (
              <>
                review {best.iteration}, <Code>{best.version.slice(0, 12)}</Code>
              </>
            ),
          ],
        ]}
      />
    </section>
  );
}

/** Returns what is wrong with the log of decisions; `undefined` if nothing is known to be. */
function brokenLog({ audit }: ModelRun): JSX.Element | undefined {
  if (audit === undefined || audit.intact) return undefined;
  return (
    <>
      <Chip kind="violated">broken</Chip>{' '}
      <Prose>{audit.problem ?? 'the chain of records is broken'}</Prose>
    </>
  );
}

function Open({ run }: { readonly run: ModelRun }): JSX.Element | null {
  const links = useLinks();
  const asked = run.waits.filter(({ answer }) => answer === undefined);
  if (run.undecided.length + run.failures.length + asked.length + run.notReviewed.length === 0)
    return null;
  return (
    <Section id="open" title="What is open">
      <ul class="open">
        {asked.map(({ question }) => (
          <li key={question}>
            <Chip kind="suspended">waits for a person</Chip> <Prose>{question}</Prose>
          </li>
        ))}
        {run.undecided.map(({ criterion, id, question, text }) => (
          <li key={criterion}>
            <Chip kind="undecided">undecided</Chip> <RequirementLink id={id} links={links} />
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
    </Section>
  );
}

function About({ run }: { readonly run: ModelRun }): JSX.Element {
  return (
    <Section id="facts" title="The run">
      <Facts
        facts={[
          ['Run', <Code key="id">{run.runId}</Code>],
          ['Pipeline', <Prose key="name">{run.pipeline}</Prose>],
          ['Task', <Prose key="task">{run.task.text ?? run.task.source}</Prose>],
          ['Began', timeText(run.at)],
          ['Took', durationText(run.durationMs)],
          ['Tokens', tokensText(run.usage)],
          ['Cost', costText(run.usage)],
          ['Files', <Prose key="files">{run.files.join(', ') || 'none'}</Prose>],
        ]}
      />
    </Section>
  );
}
