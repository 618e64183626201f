import { example } from '../../adapters/command-line/command-line.ts';
import type { AuthorizationAsked, StoredCall } from '../../kernel/authorization-calls.ts';
import type { AuthorizationRequest } from '../../../schemas/generated/types.ts';
import {
  callStateOf, decideCancel, decideResend, triesOf,
} from '../../domain/authorization/call-projection.ts';
import { sealFact, subjectsOf } from '../../domain/authorization/sealed-facts.ts';
import { listChanges, type ChangesOptions } from './changes.ts';
import { readCalls, recordCall } from './log.ts';
import { readParties } from '../party/log.ts';
import type { OperatorPorts, Report } from '../ports.ts';
import { noneOf, tableOf } from '../print/lines.ts';
import { membersOf } from '../print/members.ts';
import { DONE, DONE_OR_NONE, misuse, notFound, noun } from '../noun.ts';

const OPERATOR = 'operator';
const APPEND_MS_MAX = 15_000;

interface SendOptions {
  readonly body: string;
  readonly client: string;
}

interface ListOptions {
  readonly carrier?: string;
  readonly state?: string;
}

/**
 * `rastro authorization send | show | list | retry | cancel | changes`: authorizations that the
 * platform wants from carriers, and changes that clients asked us for, through the log. `retry`
 * opens another round for what was parked.
 */
export const authorizationCommand = noun<OperatorPorts>((command, does) => {
  command.description('Authorizations that the platform asks carriers for.');
  example(command.command('send')
    .description('Asks a carrier to authorize a shipment.')
    .argument('<carrier>', 'id of its party')
    .requiredOption('--body <json>', 'an AuthorizationRequest of the interface')
    .option('--client <id>', 'client of the platform that may read the shipment', OPERATOR)
    .action(does((ports, carrier: string, { body, client }: SendOptions) =>
      send(ports, { carrier, client_id: client }, body))),
  'rastro authorization send p-1f2e3d4c5b6a --body "$(cat request.json)"', DONE_OR_NONE);
  example(command.command('list')
    .description('The authorizations that were asked for.')
    .option('--carrier <id>', 'only of this carrier')
    .option('--state <state>', 'only in this state, such as parked')
    .action(does(async ({ reader }, options: ListOptions) =>
      list([...(await readCalls(reader)).values()], options))),
  'rastro authorization list --state parked', DONE);
  example(command.command('changes')
    .description('Repeats that clients sent us with other content: recorded, not applied.')
    .option('--order <id>', 'only of this transport order')
    .action(does(({ reader }, options: ChangesOptions) => listChanges(reader, options))),
  'rastro authorization changes --order to-41234567890-1', DONE);
  example(command.command('show')
    .description('One authorization, without the persons in its request.')
    .argument('<id>', 'id of the call')
    .action(does((ports, id: string) => withCall(ports, id, report))),
  'rastro authorization show 01890f4e-0000-7000-8000-000000000000', DONE_OR_NONE);
  example(command.command('retry')
    .description('Asks again for what was parked.')
    .argument('<id>', 'id of the call')
    .action(does((ports, id: string) => withCall(ports, id, (call) => retry(ports, call)))),
  'rastro authorization retry 01890f4e-0000-7000-8000-000000000000', DONE_OR_NONE);
  example(command.command('cancel')
    .description('Ends the tries; an authorization that the carrier gave meanwhile counts.')
    .argument('<id>', 'id of the call')
    .action(does((ports, id: string) => withCall(ports, id, (call) => cancel(ports, call)))),
  'rastro authorization cancel 01890f4e-0000-7000-8000-000000000000', DONE_OR_NONE);
});

async function withCall(
  { reader }: OperatorPorts, id: string, use: (call: StoredCall) => Report | Promise<Report>,
): Promise<Report> {
  const call = (await readCalls(reader)).get(id);
  return call === undefined ? notFound(`No authorization ${id}.`) : use(call);
}

async function send(
  ports: OperatorPorts, sides: Pick<AuthorizationAsked, 'carrier' | 'client_id'>, text: string,
): Promise<Report> {
  const body = readBody(text);
  const explain = ports.schemas.checkOf('AuthorizationRequest')(body);
  if (explain !== undefined) {
    const { detail, errors = [] } = explain();
    return misuse([detail, ...errors.map(({ pointer, message }) => `${pointer}: ${message}`)].join(' '));
  }
  const carrier = (await readParties(ports.reader)).get(sides.carrier);
  if (carrier?.kind !== 'carrier') {
    return notFound(`No carrier ${sides.carrier}: rastro party list.`);
  }
  const request = body as AuthorizationRequest;
  return ask(ports, {
    type: 'AuthorizationAsked',
    call_id: ports.ids.ingestId(),
    ...sides,
    transport_order_id: request.transport_order_id,
    shipment_id: String(request.id),
    round: 1,
    request: { ...request },
    at_ms: ports.clock.nowMs(),
  });
}

async function retry(ports: OperatorPorts, call: StoredCall): Promise<Report> {
  const asked = decideResend(call, ports.clock.nowMs());
  if (asked === undefined) {
    return misuse(`It is ${callStateOf(call)}; only what was parked is tried again.`);
  }
  return ask(ports, asked);
}

async function cancel(ports: OperatorPorts, call: StoredCall): Promise<Report> {
  // The same again gets the same answer, as by the API.
  if (callStateOf(call) === 'cancelled') return report(call);
  const tried = decideCancel(call, ports.clock.nowMs());
  if (tried === undefined) {
    return misuse(`It is ${callStateOf(call)}; there is nothing left to cancel.`);
  }
  await recordCall(ports, tried, OPERATOR);
  return report({ asked: call.asked, tried });
}

async function ask(ports: OperatorPorts, asked: AuthorizationAsked): Promise<Report> {
  if (ports.personal === undefined) return misuse('Set RASTRO_PERSONAL_KEY to seal persons.');
  const keys = await ports.personal.forWriting(
    subjectsOf(asked), ports.clock.nowMs() + APPEND_MS_MAX,
  );
  const sealed = sealFact(keys, asked);
  await recordCall(ports, sealed, sealed.client_id);
  return report({ asked: sealed, tried: undefined });
}

/** A text that is no JSON is no request; its schema says the rest. */
function readBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function list(calls: readonly StoredCall[], { carrier, state }: ListOptions): Report {
  const wanted = calls.map(shown).filter((each) =>
    (carrier === undefined || each.carrier === carrier)
    && (state === undefined || each.state === state));
  return {
    value: wanted,
    lines: wanted.length === 0 ? [noneOf(calls, 'No authorization was asked for.')] : tableOf(
      ['CALL', 'CARRIER', 'SHIPMENT', 'STATE', 'TRIES', 'NUMBER OR ERROR'],
      wanted.map((each) => [
        each.call_id, each.carrier, each.shipment_id, each.state, each.tries,
        each.tracking_number ?? each.error_code ?? '',
      ]),
    ),
    exitCode: 0,
  };
}

/** Without the request: it holds persons. */
function report(call: StoredCall): Report {
  const value = shown(call);
  return { value, lines: membersOf(value), exitCode: 0 };
}

function shown(call: StoredCall) {
  const { asked, tried } = call;
  const { call_id, carrier, shipment_id, transport_order_id, round } = asked;
  const { status, reason, error_code, tracking_number, next_attempt_at_ms } = tried ?? {};
  return {
    call_id, carrier, shipment_id, transport_order_id, round,
    state: callStateOf(call),
    tries: triesOf(call),
    ...(status === undefined ? {} : { last_status: status }),
    ...(reason === undefined ? {} : { last_reason: reason }),
    ...(error_code === undefined ? {} : { error_code }),
    ...(tracking_number === undefined ? {} : { tracking_number }),
    ...(next_attempt_at_ms === undefined ? {} : { next_attempt_at_ms }),
  };
}
