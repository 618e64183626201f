import { example, wholeFrom } from '../../adapters/command-line/command-line.ts';
import { canonicalNumber } from '../../domain/journey/canonical-number.ts';
import type { ShipmentState, StoredShipment } from '../../kernel/shipments.ts';
import { isoOf } from './facts.ts';
import { deadLettersOfKey, problemsOfDeadLetters } from './dead-letters-of-key.ts';
import { linesOf } from './lines.ts';
import {
  authorizationSteps, carrierCalls, journeyInLog, type AuthorizationStep, type CarrierCall,
  type JourneyInLog,
} from './shipment.ts';
import { problemsOfSeen, seenIn, type Seen } from './state.ts';
import type { OperatorPorts, Report } from '../ports.ts';
import { DONE_OR_NONE, misuse, noun } from '../noun.ts';
import { reassignShipment, type ReassignPorts } from './reassign-shipment.ts';
import { readerOfKey } from '../watch/tail.ts';

interface ShipmentOptions {
  readonly order?: string;
  readonly entries: number;
}

/** What looking at a shipment takes. */
export type InspectShipmentPorts = Pick<
  OperatorPorts, 'watch' | 'rangeReader' | 'reader' | 'digest' | 'inspectState'
> & ReassignPorts;

/**
 * `rastro shipment TRACKING_NUMBER | --order ID`: what log and state store know about a shipment,
 * and nothing about its persons. Exit code 1 when something is wrong with it, 3 when it is unknown.
 * `rastro shipment reassign` says whose a number is (decisions.md, Whose shipment).
 */
export const shipmentCommand = noun<InspectShipmentPorts>((command, does) => {
  example(command
    .description('One shipment: authorizations, carrier, status, journey, dead letters and the state'
      + ' store (REDIS_URL). Nothing about any person.')
    .argument('[tracking-number]', 'its tracking number')
    .option('--order <id>', 'its transport order, instead of the number')
    .option('--entries <n>', 'how many of the last entries of its journey', wholeFrom(1), 20)
    .action(does(inspectShipment)),
  'rastro shipment 1Z999AA10123456784 --entries 5',
  'Exit codes: 0 found and in order, 1 something is wrong with it, 2 wrong use, 3 not found.');
  example(command.command('reassign')
    .description('Gives a number to a carrier, and applies what it notified and was kept apart.')
    .argument('<tracking-number>', 'the number')
    .requiredOption('--to <client>', 'client of the carrier')
    .action(does((ports, number: string, { to }: { readonly to: string }) =>
      reassignShipment(ports, number, to))),
  'rastro shipment reassign 1Z999AA10123456784 --to 100000000000077', DONE_OR_NONE);
});

async function inspectShipment(
  ports: InspectShipmentPorts, spelling: string | undefined, { order, entries }: ShipmentOptions,
): Promise<Report> {
  const given = spelling === undefined ? undefined : canonicalNumber(spelling);
  if ((given === undefined) === (order === undefined)) {
    return misuse('Say which shipment: TRACKING_NUMBER or --order ID.');
  }
  const steps = await stepsOf(ports, given, order);
  const trackingNumber = given ?? steps.findLast((step) => step.tracking_number !== '')
    ?.tracking_number;
  const transportOrder = order ?? steps.at(-1)?.transport_order_id;
  const calls = transportOrder === undefined
    ? [] : await carrierCalls(readerOfKey(ports, transportOrder), transportOrder);
  const about = await aboutNumber(ports, trackingNumber);
  const isUnknown = steps.length === 0 && about.journey.steps.length === 0 && calls.length === 0;
  const problems = [
    ...problemsOfOrder(steps, calls), ...about.problems,
    ...(isUnknown ? ['The log knows nothing of it.'] : []),
  ];
  const { journey } = about;
  const value = {
    tracking_number: trackingNumber ?? null,
    transport_order_id: transportOrder ?? null,
    platform: steps.at(-1)?.client ?? null,
    carrier: steps.findLast(({ carrier }) => carrier !== '')?.carrier ?? journey.carrier ?? null,
    ...statusOf(journey.state),
    ignored_after_final: journey.steps
      .filter(({ outcome }) => outcome === 'ignored_after_final').length,
    kept_apart: journey.keptApart,
    state: stateShown(about.state),
    authorizations: steps,
    calls,
    notifications: journey.steps.length,
    journey: journey.steps.slice(-entries),
    dead_letters: about.deadLetters,
    problems,
  };
  const isKnown = !isUnknown || about.deadLetters.length > 0;
  return { value, lines: linesOf(value), exitCode: !isKnown ? 3 : problems.length > 0 ? 1 : 0 };
}

/** By its order only one partition is read; who has only the number has all of them read. */
function stepsOf(
  ports: InspectShipmentPorts, trackingNumber: string | undefined, order: string | undefined,
): Promise<readonly AuthorizationStep[]> {
  return order === undefined
    ? authorizationSteps(ports.reader, (fact) => (
      fact.type !== 'AuthorizationRefused' && fact.tracking_number === trackingNumber
    ))
    : authorizationSteps(readerOfKey(ports, order), (fact) => fact.transport_order_id === order);
}

async function aboutNumber(ports: InspectShipmentPorts, trackingNumber: string | undefined) {
  if (trackingNumber === undefined) {
    const journey: JourneyInLog = {
      carrier: undefined, state: undefined, steps: [], keptApart: 0,
    };
    const state: Seen<StoredShipment> = { kind: 'not_asked' };
    return { journey, state, deadLetters: [], problems: [] };
  }
  const reader = readerOfKey(ports, trackingNumber);
  const journey = await journeyInLog(reader, trackingNumber);
  const state = await seenIn(
    ports.inspectState, ({ shipments }) => shipments.find(trackingNumber),
  );
  const deadLetters = await deadLettersOfKey(reader, ports.digest, trackingNumber);
  const isDifferent = state.kind === 'seen'
    && JSON.stringify(statusOf(state.value?.state)) !== JSON.stringify(statusOf(journey.state));
  return {
    journey, state, deadLetters,
    problems: [
      ...(isDifferent
        ? ['Log and state store differ in its status: repeat this, then rastro rebuild redis.'] : []),
      ...problemsOfSeen(state), ...problemsOfDeadLetters(deadLetters),
    ],
  };
}

function problemsOfOrder(
  steps: readonly AuthorizationStep[], calls: readonly CarrierCall[],
): readonly string[] {
  const parked = calls.filter(({ last }) => last === 'parked');
  const isAuthorized = steps.some(({ fact }) => fact === 'ShipmentAuthorized');
  return isAuthorized ? [] : parked.map(({ call_id }) => (
    `Its carrier did not authorize it: see rastro authorization show ${call_id}.`
  ));
}

function statusOf(state: ShipmentState | undefined) {
  return {
    status: state?.status ?? null,
    code: state?.code ?? null,
    final: state?.final ?? false,
    occurred_at: state === undefined ? null : isoOf(state.occurred_at_ms),
  };
}

function stateShown(state: Seen<StoredShipment>): object {
  if (state.kind !== 'seen') return state;
  const { value } = state;
  return value === undefined
    ? { kind: 'missing' }
    : {
      kind: 'seen', platform: value.platform_client_id ?? null,
      carrier: value.carrier_client_id ?? null, ...statusOf(value.state),
    };
}
