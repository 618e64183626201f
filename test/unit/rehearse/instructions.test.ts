import { describe, expect, it } from 'vitest';
import { alerts } from '../../../infra/generate/monitoring/alerts.ts';
import { runbookOf } from '../../../infra/generate/monitoring/alert.ts';
import { instructionsForOperators } from '../../rehearse/acts/runbooks.ts';
import { isTried } from '../../rehearse/runbooks/commands.ts';
import { instructionsOn } from '../../rehearse/runbooks/instructions.ts';

const PAGE = `# A
\`\`\`promql
max(rastro_parked_keys)
  > 0
\`\`\`
Call \`npm run rastro -- lag
--json\`, look at \`rastro_state_call_seconds\` and \`RASTRO_URL\`, ask \`SELECT 1\`, then
\`kubectl -n rastro get pods\`.
\`\`\`console
$ rastro topics
TOPIC  \`rastro client list\`
\`\`\`
`;

describe('the instructions of a page', () => {
  it('is found in fences and sentences, on one line, and nothing else is', () => {
    expect(instructionsOn('a.md', PAGE).map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      'query: max(rastro_parked_keys) > 0', 'command: rastro topics',
      'command: rastro lag --json', 'query: rastro_state_call_seconds_count',
      'question: SELECT 1', 'kubectl: kubectl -n rastro get pods',
    ]);
  });

  it('is a query at least in each runbook, and each of their commands is tried', () => {
    const instructions = instructionsForOperators();
    const asking = new Set(instructions.filter(({ kind }) => kind === 'query').map(({ page }) => page));
    const pages = alerts().map((alert) => runbookOf(alert).replace('docs/runbooks/', ''));
    expect(pages.filter((page) => !asking.has(page))).toEqual([]);
    const commands = instructions.filter(({ kind }) => kind === 'command').map(({ text }) => text);
    expect(commands.filter((text) => !isTried(text))).toEqual([]);
    expect(commands.length).toBeGreaterThan(20);
  });
});
