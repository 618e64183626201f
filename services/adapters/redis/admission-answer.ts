import type { AdmissionFacts, QuotaFacts } from '../../kernel/admission.ts';
import type { DeviceRank } from '../../kernel/devices.ts';
import { fromCsv } from './texts.ts';

const SEPARATOR = '\x1f';
const NOBODY: AdmissionFacts = { caller: undefined, device: undefined, quota: undefined };

/**
 * Reads one answer of `scripts/admit.lua`. A token's scopes count only as far as its client still
 * has them, so taking a scope from a client takes it from its tokens at once.
 */
export function readAnswer(answer: string): AdmissionFacts {
  if (answer === '') return NOBODY;
  const fields = answer.split(SEPARATOR);
  const [clientId = '', userId = '', audience = '', granted = '', allowed = ''] = fields;
  const [, , , , , providers, rank = '', transportId = ''] = fields;
  return {
    caller: {
      clientId,
      userId,
      audience,
      scopes: common(granted, allowed),
      providers: fromCsv(providers),
    },
    device: rank === '' ? undefined : { epoch: Number(rank) as DeviceRank, transportId },
    quota: quotaOf(fields),
  };
}

function common(granted: string, allowed: string): readonly string[] {
  const scopes = fromCsv(granted);
  if (granted === allowed) return scopes;
  const still = fromCsv(allowed);
  return scopes.filter((scope) => still.includes(scope));
}

function quotaOf(fields: readonly string[]): QuotaFacts | undefined {
  const allowed = fields[8];
  if (allowed === undefined || allowed === '') return undefined;
  return {
    allowed: allowed === '1',
    limit: Number(fields[9]),
    remaining: Number(fields[10]),
    resetSeconds: Number(fields[11]),
    of: fields[12] === 'device' ? 'device' : 'client',
  };
}
