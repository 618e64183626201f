import { OPERATIONS } from '../../../schemas/generated/catalog.ts';
import { SECTIONS, WRONG_CALLS } from './all-calls.ts';
import type { SaidAnswer } from './read-answer.ts';
import { REVIEW, type ReviewGroup } from './review.ts';
import type { TriedCall } from './try-call.ts';
import type { Grade, WrongCall } from './wrong-call.ts';

const CELL_CHARACTERS_MAX = 400;
const WORDS: Readonly<Record<Grade, string>> = { A: 'yes', B: 'after reading', C: 'no' };

const HEAD = `<!-- Written by test/contract/errors. Do not edit. -->
# Wrong calls

What senders do wrong, and what the gateways answer. A test sends each call of this page to a gateway and holds its
answer; \`npx vitest run --config test/vitest.config.ts --root . test/contract/errors -u\` writes the page again.

A stranger knows what to correct from the answer alone (yes), after reading in the documents, or not at all (no). People
classify that, in the rows of [test/contract/errors](../../test/contract/errors/wrong-call.ts). The test holds the rest. An
answer names the member, what the gateway expected and what it got. It names a near name, the audience or scope that is needed,
and the methods of a path. Of a call that is taken though it may be meant otherwise the page shows what its
[dry run](warnings.md) says. An answer repeats no secret, nothing about a person and no regular expression. Its \`type\` is a page
that the gateway serves. Codes are in [errors](errors.md), the reasons in
[ADR 0087](../adr/0087-errors-say-what-was-meant.md).
`;

/** The whole page, from what each call was answered. */
export function errorTable(
  answers: ReadonlyMap<string, SaidAnswer>, tries: ReadonlyMap<string, TriedCall>,
): string {
  const sections = Object.entries(SECTIONS).map(([title, calls]) => [
    `## ${title}`, '| Id | Mistake | Call | Answer | A stranger knows |', '|---|---|---|---|---|',
    ...calls.map((call) => row(call, answers.get(call.id), tries.get(call.id))), '',
  ].join('\n'));
  return [HEAD, counts(), ...sections].join('\n');
}

function row(call: WrongCall, said: SaidAnswer | undefined, tried: TriedCall | undefined): string {
  const { method, path } = OPERATIONS[call.to as keyof typeof OPERATIONS];
  const target = call.target?.replace(/\?.*$/, '') ?? path;
  const sent = call.raw === undefined ? `${call.method ?? method} ${target}` : shortened(call.raw[0] ?? '');
  const knows = call.why === undefined ? WORDS[call.grade] : `${WORDS[call.grade]}. ${call.why}`;
  return `| ${[call.id, call.mistake, code(sent), answerCell(said) + dryCell(call, tried), knows].map(cell).join(' | ')} |`;
}

function answerCell(said: SaidAnswer | undefined): string {
  if (said === undefined) throw new Error('A call has no answer.');
  const { status, code: named, faults, detail } = said;
  const more = faults.length > 1 ? ` And ${faults.length - 1} more in \`errors\`.` : '';
  return `${status}${named === undefined ? '' : ` \`${named}\``}: ${code(shortened(detail))}${more}`;
}

/** What the dry run of a call says that is answered without a word. */
function dryCell({ warns = [] }: WrongCall, tried: TriedCall | undefined): string {
  const said = (tried?.warnings ?? []).filter((each) => warns.includes(`${each.code} ${each.pointer}`));
  return said.map(({ code: named, pointer, message }) => (
    `. Its dry run warns \`${named}\`: ${code(`${pointer} ${message}`)}`
  )).join('');
}

function shortened(text: string): string {
  return text.length > CELL_CHARACTERS_MAX ? `${text.slice(0, CELL_CHARACTERS_MAX)}…` : text;
}

/** Text that was sent may have anything in it. */
function code(text: string): string {
  return `\`${text.replaceAll('`', "'").replaceAll(/[^\x20-\x7e]/g, '?')}\``;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function counts(): string {
  const groups = Object.entries(REVIEW).map(([name, { mistake, answer, mark }]) => {
    const calls = callsOf(name as ReviewGroup);
    return `| ${cell(mistake)} | ${cell(answer)} | ${mark} | ${calls.length} | ${marks(calls)} |`;
  });
  const reviewed = WRONG_CALLS.filter(({ review }) => review !== undefined);
  const own = WRONG_CALLS.filter(({ review }) => review === undefined);
  const before = count(reviewed, ({ review }) => REVIEW[review as ReviewGroup].mark);
  return [
    '## Before and after',
    'The review of the first hour (2026-11-22) tried some 115 wrong calls, in these groups with one mark each. The',
    'calls of a group below are ours: the ones that it names, and others of the same mistake. A: one knows at once what to',
    'correct; B: after reading in the documents; C: misleading or silent.',
    '',
    '| Calls | Count | A | B | C |', '|---|---|---|---|---|',
    `| of the review, then | ${reviewed.length} | ${before} |`,
    `| of the review, now | ${reviewed.length} | ${count(reviewed, ({ grade }) => grade)} |`,
    `| of our own, now | ${own.length} | ${count(own, ({ grade }) => grade)} |`,
    '',
    '| Mistake | Answer then | Mark then | Calls | Marks now |', '|---|---|---|---|---|', ...groups, '',
  ].join('\n');
}

function callsOf(name: ReviewGroup): readonly WrongCall[] {
  return WRONG_CALLS.filter(({ review }) => review === name);
}

function marks(calls: readonly WrongCall[]): string {
  return (['A', 'B', 'C'] as const).flatMap((grade) => {
    const some = calls.filter((call) => call.grade === grade).length;
    return some === 0 ? [] : [`${some} ${grade}`];
  }).join(', ');
}

function count(calls: readonly WrongCall[], markOf: (call: WrongCall) => Grade): string {
  return (['A', 'B', 'C'] as const)
    .map((mark) => calls.filter((call) => markOf(call) === mark).length).join(' | ');
}
