import { WARNINGS, type WarningCode } from '../../../services/kernel/warnings.ts';
import { OPERATIONS } from '../../../schemas/generated/catalog.ts';
import type { WarnedBody } from './examples.ts';

/** A body that was sent, and what its dry run said of it. */
export interface SaidWarning {
  readonly body: WarnedBody;
  readonly message: string;
}

const HEAD = `<!-- Written by test/contract/warnings. Do not edit. -->
# Warnings

What a [dry run](../how-to/dry-runs.md) says about a body that is taken although it may be meant otherwise. The call itself
says nothing of it, stores what was sent, and never refuses for it. A warning has a JSON Pointer, a code of this page, and a
sentence for people. At most four of each code are listed; \`warnings_found\` counts all. A program acts on the code alone.
Of unknown names the first 64 are compared.

A test sends each example of this page; \`npx vitest run --config test/vitest.config.ts --root . test/contract/warnings -u\`
writes the page again. Why only dry runs have warnings is in [ADR 0093](../adr/0093-dry-runs-have-an-address.md).

| Code | What it means | What to do |
|---|---|---|
`;

const ABOUT = `
## How they are found
- **Countries** are boxes around each part of a country with half a degree more (Natural Earth, public domain). A place in a
  neighbor country may lie in the box. An item without \`country_id\` is compared with that of the call, for exchanged numbers only.
- **Speed** is compared with the way between fixes that are at most five minutes apart, where it makes 15 kilometers per hour or
  more. Three such pairs are needed, and their median decides.
- **Times** are compared with the receipt. Within two minutes of a whole hour away, up to 14, a zone is the likely reason. Reports of
  carriers and summaries may be old.
- **Names** are those that the schema of the body has. A name that is near to none is kept and not warned of.

## Examples
| Code | Mistake | Call | Warning |
|---|---|---|---|
`;

/** The whole page, from what each body was warned of. */
export function warningsPage(said: readonly SaidWarning[]): string {
  const codes = Object.entries(WARNINGS).map(([code, { meaning, action }]) => (
    `| \`${code}\` | ${meaning} | ${action} |`
  ));
  const rows = said.map(({ body: { code, mistake, to, at }, message }) => (
    `| \`${code}\` | ${mistake} | \`POST ${pathOf(to)}\` | \`${at}\` ${message} |`
  ));
  return `${HEAD}${codes.join('\n')}\n${ABOUT}${rows.join('\n')}\n`;
}

/** Codes without an example. */
export function codesWithout(examples: readonly WarnedBody[]): readonly WarningCode[] {
  const shown = new Set(examples.map(({ code }) => code));
  return (Object.keys(WARNINGS) as WarningCode[]).filter((code) => !shown.has(code));
}

function pathOf(to: string): string {
  return `${OPERATIONS[to as keyof typeof OPERATIONS].path}/dry_run`;
}
