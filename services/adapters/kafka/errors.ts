/**
 * The protocol's names of errors after which the broker will never take the same batch. Everything
 * else, also what a client calls final, may have been appended and goes again.
 */
const REFUSALS: ReadonlySet<string> = new Set([
  'MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'INVALID_RECORD', 'INVALID_TIMESTAMP',
  'UNSUPPORTED_COMPRESSION_TYPE', 'UNSUPPORTED_FOR_MESSAGE_FORMAT',
]);

/** The broker and the producer disagree about sequence numbers: only a new producer helps. */
const SEQUENCE_ERRORS: ReadonlySet<string> = new Set([
  'OUT_OF_ORDER_SEQUENCE_NUMBER', 'DUPLICATE_SEQUENCE_NUMBER', 'UNKNOWN_PRODUCER_ID',
  'INVALID_PRODUCER_EPOCH', 'INVALID_PRODUCER_ID_MAPPING', 'PRODUCER_FENCED',
]);

const CAUSES_MAX = 200;

/**
 * The short machine-readable names in an error and its causes, outermost first: kafkajs keeps them
 * in `type`, platformatic in `apiId` or `code`, Node in `code`. Never the message text.
 */
export function reasonsOf(error: unknown): readonly string[] {
  const reasons: string[] = [];
  const open: unknown[] = [error];
  const seen = new Set<unknown>();
  while (open.length > 0 && seen.size < CAUSES_MAX) {
    const next = open.shift();
    if (typeof next !== 'object' || next === null || seen.has(next)) continue;
    seen.add(next);
    const { type, apiId, code, cause, errors } = next as Record<string, unknown>;
    for (const reason of [apiId, type, code]) {
      if (typeof reason === 'string' && reason !== '') reasons.push(reason);
    }
    if (Array.isArray(errors)) open.push(...(errors as unknown[]).slice(-3));
    open.push(cause);
  }
  return reasons;
}

/** The most precise reason of an error: a bounded set of names, so that it may label a metric. */
export function reasonOf(error: unknown): string {
  const reasons = reasonsOf(error);
  const telling = reasons.find((reason) => !reason.startsWith('PLT_KFK_'));
  return telling ?? reasons[0] ?? (error instanceof Error ? error.name : 'unknown');
}

/** The protocol error by which the broker refused a batch for good, if it did. */
export function refusalOf(error: unknown): string | undefined {
  return reasonsOf(error).find((reason) => REFUSALS.has(reason));
}

/** True when the producer must be replaced before the batch goes again. */
export function needsNewProducer(error: unknown): boolean {
  return reasonsOf(error).some((reason) => SEQUENCE_ERRORS.has(reason));
}

/** True when the broker named `reason` anywhere in the error. */
export function hasReason(error: unknown, reason: string): boolean {
  return reasonsOf(error).includes(reason);
}
