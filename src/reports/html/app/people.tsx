import type { JSX } from 'preact';
import { timeText } from '../../time-text.js';
import type { ModelRun } from '../report-model.js';
import { Chip, Code, Prose, row, Section, Table } from './texts.js';

/** What people were asked, what they answered, and whether the log of it is intact. */
export function People({ run }: { readonly run: ModelRun }): JSX.Element {
  return (
    <>
      <Section id="questions" title="Questions to people">
        {run.waits.length === 0 ? <p>Nobody was asked.</p> : <Questions run={run} />}
      </Section>
      <Section id="audit" title="Audit log">
        <Audit run={run} />
      </Section>
    </>
  );
}

function Questions({ run }: { readonly run: ModelRun }): JSX.Element {
  return (
    <Table label="Questions to people" heads={['question', 'asked', 'answer', 'by', 'reason']}>
      {run.waits.map(({ question, askedAt, answer, answeredAt, by, reason }, index) =>
        row(
          index,
          <Prose>{question}</Prose>,
          askedAt === undefined ? '' : timeText(askedAt),
          <>
            {answer === undefined ? <Chip kind="suspended">waits</Chip> : <Prose>{answer}</Prose>}
            {answeredAt !== undefined && <small>{timeText(answeredAt)}</small>}
          </>,
          <Prose>{by ?? ''}</Prose>,
          <Prose>{reason ?? ''}</Prose>,
        ),
      )}
    </Table>
  );
}

function Audit({ run }: { readonly run: ModelRun }): JSX.Element {
  const { audit } = run;
  if (audit === undefined) return <p>This report contains no audit log.</p>;
  return (
    <>
      <p>
        <Chip kind={audit.intact ? 'met' : 'violated'}>{audit.intact ? 'intact' : 'broken'}</Chip>{' '}
        <Prose>{audit.state}</Prose>
      </p>
      {audit.records.length === 0 ? (
        <p>The log has no record of this run.</p>
      ) : (
        <Table label="Audit log" heads={['when', 'who', 'what', 'reason', 'record', 'hash']}>
          {audit.records.map(({ at, by, action, reason, seq, hash }, index) =>
            row(
              index,
              timeText(at),
              <Prose>{by}</Prose>,
              <Prose>{action}</Prose>,
              <Prose>{reason}</Prose>,
              seq,
              hash && <Code>{hash.slice(0, 12)}</Code>,
            ),
          )}
        </Table>
      )}
    </>
  );
}
