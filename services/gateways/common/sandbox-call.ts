import type { AdmittedCaller } from '../../kernel/admission.ts';
import type { Answer, Call, Operation } from '../../kernel/http.ts';
import { SandboxFull, type SandboxCall } from '../../kernel/sandbox.ts';
import { askedBy } from './sandbox-answers.ts';

/** An operation over the ports of a sandbox, for one call, and what makes its effect stay. */
export interface SandboxedOperation {
  readonly operation: Operation;
  remember(): Promise<void>;
}

/** Makes it; undefined where a sandbox has no part in what the operation is about. */
export type MakeSandboxed = (id: string, of: SandboxCall) => SandboxedOperation | undefined;

/** What a device is that only a magic id names. */
const STAND_IN = { epoch: 2, transportId: '1' } as const;

/**
 * The operation as it is, but for calls of sandbox clients: they are decided over the ports of the
 * client's sandbox, or answered as a magic id in them says. To anyone else it costs one comparison
 * (ADR 0108).
 */
export function withSandbox(operation: Operation, make: MakeSandboxed): Operation {
  if (operation.authentication !== 'bearer') return operation;
  const admissionOf = operation.admissionOf?.bind(operation);
  return {
    ...operation,
    ...(admissionOf === undefined ? {} : { admissionOf }),
    handle: (call) => call.caller?.sandbox === true
      ? handleInSandbox(operation, make, call, call.caller)
      : operation.handle(call),
  };
}

async function handleInSandbox(
  { id, explain }: Operation, make: MakeSandboxed, call: Call, { clientId }: AdmittedCaller,
): Promise<Answer> {
  const { body } = call;
  const asked = askedBy(id, call);
  if (asked.kind === 'ordered' || asked.kind === 'refusal') {
    const refusal = explain?.(body, asked.refusal) ?? asked.refusal;
    return { kind: 'refusal', ...refusal, ...asked.kind === 'ordered' ? { isOrdered: true } : {} };
  }
  const outcome = asked.kind === 'outcome' ? asked.outcome : undefined;
  const partner = asked.kind === 'partner' ? asked.partner : undefined;
  const made = make(id, { clientId, body, outcome, partner });
  if (made === undefined) {
    return {
      kind: 'refusal', code: 'insufficient_scope',
      detail: 'A sandbox client has no part in the operation of the platform.',
    };
  }
  try {
    const device = call.device ?? (outcome === undefined ? undefined : STAND_IN);
    const answer = await made.operation.handle({ ...call, device });
    if (answer.kind !== 'refusal') await made.remember();
    return answer;
  } catch (error) {
    if (error instanceof SandboxFull) return full(error, call.receivedAtMs);
    throw error;
  }
}

function full({ entriesMax, untilMs }: SandboxFull, nowMs: number): Answer {
  return {
    kind: 'refusal', code: 'capacity_exhausted',
    detail: `The sandbox holds its ${entriesMax} entries; it is emptied at`
      + ` ${new Date(untilMs).toISOString()}.`,
    retryAfterSeconds: Math.max(1, Math.ceil((untilMs - nowMs) / 1_000)),
  };
}
