import type { JSX } from 'preact';
import type { ModelRun } from '../report-model.js';
import { Chip, Code, Prose, plural, Table, timeText } from './texts.js';

/** What people were asked, what they answered, and whether the log of it is intact. */
export function People({ run }: { readonly run: ModelRun }): JSX.Element {
  return (
    <>
      <section aria-labelledby="questions">
        <h2 id="questions">Questions to people</h2>
        {run.waits.length === 0 ? <p>Nobody was asked.</p> : <Questions run={run} />}
      </section>
      <section aria-labelledby="audit">
        <h2 id="audit">Audit log</h2>
        <Audit run={run} />
      </section>
    </>
  );
}

function Questions({ run }: { readonly run: ModelRun }): JSX.Element {
  return (
    <Table label="Questions to people" heads={['question', 'asked', 'answer', 'by', 'reason']}>
      {run.waits.map(({ question, askedAt, answer, answeredAt, by, reason }, index) => (
        <tr key={index}>
          <th scope="row">
            <Prose>{question}</Prose>
          </th>
          <td>{askedAt === undefined ? '' : timeText(askedAt)}</td>
          <td>
            {answer === undefined ? <Chip kind="suspended">waits</Chip> : <Prose>{answer}</Prose>}
            {answeredAt !== undefined && <small>{timeText(answeredAt)}</small>}
          </td>
          <td>
            <Prose>{by ?? ''}</Prose>
          </td>
          <td>
            <Prose>{reason ?? ''}</Prose>
          </td>
        </tr>
      ))}
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
        <Prose>
          {audit.intact
            ? 'Every record follows the one before it; none was changed or taken out.'
            : (audit.problem ?? 'The chain of records is broken.')}
        </Prose>
        {audit.total !== undefined && ` ${plural(audit.total, 'record')} in the log.`}
      </p>
      {audit.records.length === 0 ? (
        <p>The log has no record of this run.</p>
      ) : (
        <Table label="Audit log" heads={['when', 'who', 'what', 'reason', 'record', 'hash']}>
          {audit.records.map(({ at, by, action, reason, seq, hash }, index) => (
            <tr key={index}>
              <td>{timeText(at)}</td>
              <td>
                <Prose>{by}</Prose>
              </td>
              <td>
                <Prose>{action}</Prose>
              </td>
              <td>
                <Prose>{reason}</Prose>
              </td>
              <td>{seq ?? ''}</td>
              <td>{hash !== undefined && <Code>{hash.slice(0, 12)}</Code>}</td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}
