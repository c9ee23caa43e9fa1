import type { JSX } from 'preact';
import { timeText } from '../../shown-text.js';
import type { ModelRun } from '../report-model.js';
import { Code, durationText, Facts, Prose, plural, Section, Table, Tag } from './texts.js';

const mostFiles = 20;

export function About({ run }: { readonly run: ModelRun }): JSX.Element {
  const { files, reviews, task, version, waits, audit } = run;
  const paths = files.slice(0, mostFiles).map(({ path }) => path);
  if (files.length > mostFiles) paths.push(`${files.length - mostFiles} more`);
  return (
    <>
      <Section id="facts" title="The run">
        <Facts
          facts={[
            ['Run', <Code key="id">{run.runId}</Code>],
            ['Pipeline', run.pipeline && <Prose key="name">{run.pipeline}</Prose>],
            ['Version', version && <Code key="version">{version}</Code>],
            ['Files', paths.length > 0 ? <Prose key="files">{paths.join(', ')}</Prose> : undefined],
            ['Began', timeText(run.at)],
            ['Took', `${durationText(run.durationMs)} for ${plural(reviews.length, 'review')}`],
            ['Cost', run.cost || 'no model was asked'],
            [
              'Ended',
              <Prose key="end">{`${run.status} (${run.code}, exit code ${run.exitCode})`}</Prose>,
            ],
            ['Task', <Task key="task" task={task} />],
          ]}
        />
      </Section>
      {waits.length > 0 && <Questions run={run} />}
      {audit !== undefined && <Audit audit={audit} />}
    </>
  );
}

function Task({ task: { source, text } }: Pick<ModelRun, 'task'>): JSX.Element {
  if (text === undefined) return <Prose>{source}</Prose>;
  return (
    <details>
      <summary>
        <Prose>{source}</Prose>
      </summary>
      <Prose>{text}</Prose>
    </details>
  );
}

function Questions({ run }: { readonly run: ModelRun }): JSX.Element {
  return (
    <Section id="questions" title="Questions to people">
      <Table
        label="Questions to people"
        heads={['question', 'asked', 'answer', 'by', 'reason']}
        rows={run.waits.map(({ question, askedAt, answer, answeredAt, by, reason }, index) => ({
          key: index,
          cells: [
            <Prose>{question}</Prose>,
            askedAt && timeText(askedAt),
            answer === undefined ? (
              <Tag look="warn">waits</Tag>
            ) : (
              <>
                <Prose>{answer}</Prose>
                {answeredAt && <small>{timeText(answeredAt)}</small>}
              </>
            ),
            by && <Prose>{by}</Prose>,
            reason && <Prose>{reason}</Prose>,
          ],
        }))}
      />
    </Section>
  );
}

function Audit({ audit }: { readonly audit: NonNullable<ModelRun['audit']> }): JSX.Element {
  return (
    <Section id="audit" title="Audit log">
      <p>
        <Tag look={audit.intact ? 'ok' : 'bad'}>{audit.intact ? 'intact' : 'broken'}</Tag>{' '}
        <Prose>{audit.state}</Prose>
      </p>
      {audit.records.length > 0 && (
        <Table
          label="Audit log"
          heads={['when', 'who', 'what', 'reason', 'record', 'hash']}
          rows={audit.records.map(({ at, by, action, reason, seq, hash }, index) => ({
            key: index,
            cells: [
              timeText(at),
              <Prose>{by}</Prose>,
              <Prose>{action}</Prose>,
              <Prose>{reason}</Prose>,
              seq,
              hash && <Code>{hash.slice(0, 12)}</Code>,
            ],
          }))}
        />
      )}
    </Section>
  );
}
