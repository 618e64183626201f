import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { CommandAudited } from '../../../schemas/generated/types.ts';
import { example, wholeFrom, wrongValue } from '../../adapters/command-line/command-line.ts';
import { eachFact } from '../../kernel/each-fact.ts';
import { DONE, noun } from '../noun.ts';
import type { OperatorPorts, Report } from '../ports.ts';
import { at, tableOf } from '../print/lines.ts';
import { windowFrom } from '../watch/window.ts';
import { byNewest, commandsIn, isAskedFor, subjectIn } from '../../operator/audit/filter.ts';
import { auditedSubject, SUBJECT_KINDS, type CommandSubject } from '../../operator/audit/subjects.ts';

interface AuditOptions {
  readonly window: number;
  readonly by?: string;
  readonly command?: readonly string[];
  readonly subject?: CommandSubject;
  readonly last: number;
}

/** What reading the audit takes. */
export type ReadAuditPorts = Pick<OperatorPorts, 'reader' | 'clock' | 'secrets'>;

const MONTH_MS = 30 * 86_400_000;

/** `rastro audit`: who asked for which command of the operators on what, when and why. */
export const auditCommand = noun<ReadAuditPorts>((command, does) => {
  example(command
    .description('Who asked for which command on what, when and why, the newest last.')
    .option('--by <actor>', 'only of this actor')
    .option('--command <names>', 'only commands whose name begins so, such as "person show"; several'
      + ' are divided by commas', commandsFrom)
    .option('--subject <kind:id>', `only about this subject; kinds: ${SUBJECT_KINDS.join(', ')}`,
      subjectFrom)
    .option('--window <time>', 'only of the last time, such as 2h or 7d (default 30d)',
      windowFrom, MONTH_MS)
    .option('--last <n>', 'how many at most', wholeFrom(1), 100)
    .action(does(show)),
  'rastro audit --command "person" --window 90d', DONE);
});

function subjectFrom(text: string): CommandSubject {
  return subjectIn(text)
    ?? wrongValue(`It must be kind:id, the kind one of ${SUBJECT_KINDS.join(', ')}.`);
}

function commandsFrom(text: string): readonly string[] {
  return commandsIn(text) ?? wrongValue('It must be names of commands, divided by commas.');
}

async function show(
  { reader, clock, secrets }: ReadAuditPorts, { by, command, subject, window, last }: AuditOptions,
): Promise<Report> {
  const filter = {
    since_ms: clock.nowMs() - window, until_ms: Infinity, actor: by, commands: command ?? [],
    subject: subject && auditedSubject(secrets, subject),
  };
  const found: CommandAudited[] = [];
  await eachFact<CommandAudited>(reader, [TOPICS.audit.name], (fact) => {
    if (isAskedFor(filter, fact)) found.push(fact);
  });
  const shown = found.toSorted(byNewest).slice(0, last).toReversed();
  return {
    value: shown.map(({ type: _, ...fact }) => fact),
    lines: shown.length === 0 ? ['Nothing was asked for in that time.'] : tableOf(
      ['AT', 'ACTOR', 'COMMAND', 'SUBJECT', 'REASON'],
      shown.map((fact) => (
        [at(fact.at_ms), fact.actor, fact.command, fact.subject, fact.reason ?? '']
      )),
    ),
    exitCode: 0,
  };
}
