/** An agent with its own output type, and criteria for that type. */
import { BaseAgent, BaseAgentReviewCriteria, criterion, type Gap } from 'reviewloop';

interface Query {
  readonly sql: string;
}

class SqlCriteria extends BaseAgentReviewCriteria<Query, string> {
  agentId = 'sql';
  criteria = [
    criterion<Query, string>(
      'read-only',
      ({ sql }) => /^select\b/i.test(sql) || 'it changes data',
      { severity: 'critical', category: 'incorrect' },
    ),
    criterion<Query, string>('bounded', ({ sql }) => /\blimit\s+\d+/i.test(sql) || 'no LIMIT', {
      description: 'Every query has a LIMIT',
    }),
  ];

  protected override textOf(query: Query) {
    return query.sql;
  }

  protected override taskText(request: string) {
    return request;
  }
}

class SqlAgent extends BaseAgent<Query, string> {
  override metadata = { id: 'sql-agent' };

  protected getReviewCriteria() {
    return new SqlCriteria();
  }

  // Replaces a call of a model.
  protected async produce(_request: string): Promise<Query> {
    return { sql: 'SELECT name FROM users WHERE active' };
  }

  protected override async addressGaps(
    _request: string,
    query: Query,
    gaps: Gap[],
  ): Promise<Query> {
    return gaps.some((gap) => gap.criterionId === 'bounded')
      ? { sql: `${query.sql} LIMIT 100` }
      : query;
  }
}

const outcome = await new SqlAgent().run('The query must list the names of active users');
for (const { iteration, scores, gaps } of outcome.reviews) {
  const names = gaps.map((gap) => gap.criterionId).join(', ') || 'none';
  console.log(
    `review ${iteration}: overall ${scores.overall?.toFixed(2) ?? 'unknown'}, gaps: ${names}`,
  );
}
console.log(outcome.status, outcome.output?.sql);
