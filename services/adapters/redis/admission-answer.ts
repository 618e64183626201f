import type {
  AdmissionFacts, AdmittedCaller, LimitName, QuotaFacts,
} from '../../kernel/admission.ts';
import { LIMIT_NAMES } from '../../kernel/client-rates.ts';
import { limitsIn } from '../../kernel/client-limits.ts';
import { createBoundedCache } from '../../kernel/bounded-cache.ts';
import { fromCsv } from '../../kernel/csv.ts';
import type { DeviceStage } from '../../kernel/devices.ts';

const SEPARATOR = '\x1f';
const NOBODY: AdmissionFacts = { caller: undefined, device: undefined, quota: undefined };

const CALLER_FIELDS = 8;
const CALLERS_MAX = 1_024;

/**
 * Makes the reader of answers of `scripts/admit.lua`. Providers are few and speak often: the same
 * text about a caller always means the same, so what was made of it is used again. Whether it is
 * let in is in every answer again.
 */
export function createAnswerReader(): (answer: string) => AdmissionFacts {
  const callers = createBoundedCache<string, AdmittedCaller>(CALLERS_MAX);

  function callerOf(text: string): AdmittedCaller {
    let caller = callers.get(text);
    if (caller === undefined) {
      caller = readCaller(text);
      callers.set(text, caller);
    }
    return caller;
  }

  return function readAnswer(answer) {
    if (answer === '') return NOBODY;
    let end = -1;
    for (let nth = 0; nth < CALLER_FIELDS; nth += 1) end = answer.indexOf(SEPARATOR, end + 1);
    const [stage = '', transportId = '', ...quota] = answer.slice(end + 1).split(SEPARATOR);
    return {
      caller: callerOf(answer.slice(0, end)),
      device: stage === '' ? undefined : { epoch: Number(stage) as DeviceStage, transportId },
      quota: quotaOf(quota),
    };
  };
}

/**
 * A token's scopes count only as far as its client still has them, so taking a scope from a client
 * takes it from its tokens at once.
 */
function readCaller(text: string): AdmittedCaller {
  const fields = text.split(SEPARATOR);
  const [clientId = '', userId = '', audience = '', granted = '', allowed = ''] = fields;
  return {
    clientId, userId, audience, scopes: common(granted, allowed), providers: fromCsv(fields[5]),
    ...limitsIn(fields[6]), ...(fields[7] === '1' ? { sandbox: true } : {}),
  };
}

function common(granted: string, allowed: string): readonly string[] {
  const scopes = fromCsv(granted);
  if (granted === allowed) return scopes;
  const still = fromCsv(allowed);
  return scopes.filter((scope) => still.includes(scope));
}

function quotaOf(
  [allowed = '', limit, remaining, resetSeconds, of = '']: readonly string[],
): QuotaFacts | undefined {
  if (allowed === '') return undefined;
  return {
    allowed: allowed === '1',
    limit: Number(limit),
    remaining: Number(remaining),
    resetSeconds: Number(resetSeconds),
    of: (LIMIT_NAMES as readonly string[]).includes(of) ? of as LimitName : 'client',
  };
}
