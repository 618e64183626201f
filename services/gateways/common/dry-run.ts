import type { DryRunResponse } from '../../../schemas/generated/types.ts';
import type { Answer, Operation } from '../../kernel/http.ts';
import type { FindWarnings, FoundWarnings } from '../../kernel/warnings.ts';

/** What the address of a dry run ends in. */
const SUFFIX = '/dry_run';

/** The name of the member by which a summary leads to its whole body. */
const WHOLE = Symbol('whole');

/** Makes an operation of an id over ports that store nothing, for one call. */
export type MakeDry = (id: string) => Operation;

/**
 * The dry run of an operation, at an address of its own: the same call is read, validated,
 * admitted and charged, then decided over ports that keep nothing. A refusal is the one of the
 * call itself; any other answer says that nothing was stored, and what may be meant otherwise
 * (ADR 0093).
 */
export function dryRunOf(
  operation: Operation, makeDry: MakeDry, findWarnings: FindWarnings,
): Operation {
  const { id, path, summary } = operation;
  const admissionOf = operation.admissionOf?.bind(operation);
  return {
    ...operation,
    id: `dry-run-${id}`,
    path: `${path}${SUFFIX}`,
    isDryRun: true,
    // Warnings need the whole body, so that none is scanned alone.
    ...(summary === undefined ? {} : {
      summary: {
        scan: undefined,
        summarize: (body: unknown) => ({ ...summary.summarize(body) as object, [WHOLE]: body }),
      },
    }),
    ...(admissionOf === undefined ? {} : { admissionOf }),
    async handle(call) {
      const answer = await makeDry(id).handle(call);
      if (answer.kind === 'refusal') return answer;
      return answerOf(answer.status, findWarnings({
        operation: id, body: wholeOf(call.body), countryId: call.query['country_id'],
        nowMs: call.receivedAtMs,
      }));
    },
  };
}

function wholeOf(body: unknown): unknown {
  const isSummary = typeof body === 'object' && body !== null && WHOLE in body;
  return isSummary ? body[WHOLE] : body;
}

function answerOf(status: number, { listed, found }: FoundWarnings): Answer {
  const body: DryRunResponse = {
    dry_run: true,
    stored: false,
    message: 'Dry run: nothing was stored.',
    call_status: status,
    warnings: listed.map((warning) => ({ ...warning })),
    warnings_found: found,
  };
  return { kind: 'answer', status: 200, body, headers: { 'Dry-Run': 'true' } };
}
