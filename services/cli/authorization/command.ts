import { parseArgs } from 'node:util';
import type { AuthorizationAsked, StoredCall } from '../../kernel/authorization-calls.ts';
import type { AuthorizationRequest } from '../../../schemas/generated/types.ts';
import { sealFact, subjectsOf } from '../../domain/authorization/sealed-facts.ts';
import { readCalls, recordAsk } from './log.ts';
import type { OperatorPorts, Report } from '../ports.ts';
import { misuse } from '../usage.ts';

const OPTIONS = {
  body: { type: 'string' },
  carrier: { type: 'string' },
  state: { type: 'string' },
} as const;

const OPERATOR = 'operator';
const APPEND_MS_MAX = 15_000;

/**
 * `rastro authorization send | show | list | retry`: authorizations that the platform wants from
 * carriers, through the log. `retry` opens another round for what was parked.
 */
export async function authorizationCommand(
  ports: OperatorPorts, args: readonly string[],
): Promise<Report> {
  const { values, positionals } = parseArgs({
    args: [...args], options: OPTIONS, allowPositionals: true,
  });
  const [verb = '', id] = positionals;
  if (verb === 'send') return send(ports, id, values.body);
  const calls = await readCalls(ports.reader);
  if (verb === 'list') return list([...calls.values()], values);
  const call = calls.get(id ?? '');
  if (call === undefined) return misuse(`No authorization ${id ?? '(give its id)'}.`);
  switch (verb) {
    case 'show': return report(call);
    case 'retry': return retry(ports, call);
    default: return misuse(`Unknown: authorization ${verb}`);
  }
}

async function send(
  ports: OperatorPorts, carrier: string | undefined, text: string | undefined,
): Promise<Report> {
  if (carrier === undefined) return misuse('Say which carrier, by the id of its party.');
  const body = readBody(text);
  const explain = ports.schemas.checkOf('AuthorizationRequest')(body);
  if (explain !== undefined) {
    const { detail, errors = [] } = explain();
    return misuse([detail, ...errors.map(({ pointer, message }) => `${pointer}: ${message}`)].join(' '));
  }
  const request = body as AuthorizationRequest;
  return ask(ports, {
    type: 'AuthorizationAsked',
    call_id: ports.ids.ingestId(),
    carrier,
    transport_order_id: request.transport_order_id,
    shipment_id: String(request.id),
    round: 1,
    client_id: OPERATOR,
    request: { ...request },
    at_ms: ports.clock.nowMs(),
  });
}

async function retry(ports: OperatorPorts, call: StoredCall): Promise<Report> {
  const state = stateOf(call);
  if (state !== 'parked') return misuse(`It is ${state}; only what was parked is tried again.`);
  const { asked } = call;
  return ask(ports, { ...asked, round: asked.round + 1, at_ms: ports.clock.nowMs() });
}

async function ask(ports: OperatorPorts, asked: AuthorizationAsked): Promise<Report> {
  if (ports.personal === undefined) return misuse('Set RASTRO_PERSONAL_KEY to seal persons.');
  const keys = await ports.personal.forWriting(
    subjectsOf(asked), ports.clock.nowMs() + APPEND_MS_MAX,
  );
  const sealed = sealFact(keys, asked);
  await recordAsk(ports, sealed);
  return report({ asked: sealed, tried: undefined });
}

/** A text that is no JSON is no request; its schema says the rest. */
function readBody(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null') as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function list(
  calls: readonly StoredCall[], { carrier, state }: { carrier?: string; state?: string },
): Report {
  const wanted = calls.map(shown).filter((each) =>
    (carrier === undefined || each.carrier === carrier)
    && (state === undefined || each.state === state));
  return {
    value: wanted,
    lines: wanted.map((each) => [
      each.call_id, each.carrier, each.shipment_id, each.state, `${each.tries} tries`,
      each.tracking_number ?? each.error_code ?? '',
    ].join('  ')),
    exitCode: 0,
  };
}

/** Without the request: it holds persons. */
function report(call: StoredCall): Report {
  const value = shown(call);
  const lines = Object.entries(value).map(([name, text]) => `${name.padEnd(20)} ${String(text)}`);
  return { value, lines, exitCode: 0 };
}

function shown(call: StoredCall) {
  const { asked, tried } = call;
  const { call_id, carrier, shipment_id, transport_order_id, round } = asked;
  const { status, reason, error_code, tracking_number, next_attempt_at_ms } = tried ?? {};
  return {
    call_id, carrier, shipment_id, transport_order_id, round,
    state: stateOf(call),
    tries: tried?.attempt ?? 0,
    ...(status === undefined ? {} : { last_status: status }),
    ...(reason === undefined ? {} : { last_reason: reason }),
    ...(error_code === undefined ? {} : { error_code }),
    ...(tracking_number === undefined ? {} : { tracking_number }),
    ...(next_attempt_at_ms === undefined ? {} : { next_attempt_at_ms }),
  };
}

function stateOf({ tried }: StoredCall): string {
  if (tried === undefined) return 'queued';
  return tried.outcome === 'retry' ? 'retrying' : tried.outcome;
}
