import { TOPICS } from '../../schemas/generated/catalog.ts';
import type { Operation } from '../kernel/http.ts';
import type { OutgoingRecord } from '../kernel/record-log.ts';
import type { SandboxCall } from '../kernel/sandbox.ts';
import { createSandboxMemory, type KindsOfItems } from '../state/sandbox-memory.ts';
import { createSandboxStore, SANDBOX_LIMITS, type SandboxLimits } from '../state/sandbox-store.ts';
import type { OperationsPorts } from './assemble-ports.ts';
import { bindShipments } from './common/bind-shipments.ts';
import { dryImages } from './common/dry-ports.ts';
import { withSandbox, type SandboxedOperation } from './common/sandbox-call.ts';
import { answerAsPartners } from './common/sandbox-partners.ts';
import {
  anyRequest, createSandboxLog, NO_HISTORY, NO_TRACEABLES, STAND_IN_PARTIES,
} from './common/sandbox-ports.ts';
import type { GatewayRoom } from './gateways.ts';
import type { LiveFeeds } from './live/create-live.ts';

const MEMORY = {
  locations: TOPICS.locations.name,
  kinds: {
    [TOPICS.locations.name]: 'locations',
    [TOPICS.telemetryEvents.name]: 'telemetry_events',
    [TOPICS.deferredEvents.name]: 'deferred_events',
    [TOPICS.deliveryLocations.name]: 'delivery_locations',
    [TOPICS.notifications.name]: 'notifications',
  } satisfies KindsOfItems,
};

/**
 * The operations of a room, each with what it does for sandbox clients: the same, made again for
 * the call over the sandbox of the client (ADR 0108). Tokens are real ones, and what is about the
 * deployment itself is not for a sandbox.
 */
export function withSandboxes(
  room: GatewayRoom, operationsOver: (ports: OperationsPorts) => readonly Operation[],
  ports: OperationsPorts, limits: SandboxLimits = SANDBOX_LIMITS,
): readonly Operation[] {
  const real = operationsOver(ports);
  const make = (id: string, call: SandboxCall): SandboxedOperation | undefined => {
    if (room === 'operator') return undefined;
    if (room === 'oauth') return { operation: operationIn(real, id), remember: nothing };
    const { parts, remember } = sandboxPorts(ports, call, limits);
    return { operation: operationIn(operationsOver(parts), id), remember };
  };
  return real.map((operation) => withSandbox(operation, make));
}

/** Feeds in which nothing ever happens; how many a client may follow stays as it is. */
function quietLive(live: LiveFeeds): LiveFeeds {
  const quiet = { join: () => () => undefined };
  return { ...live, fixes: quiet, facts: quiet, wake: nothing, refuses: live.refusesLine };
}

const nothing = (): Promise<void> => Promise.resolve();

function operationIn(operations: readonly Operation[], id: string): Operation {
  const found = operations.find((each) => each.id === id);
  if (found === undefined) throw new Error(`No operation ${id} in the sandbox.`);
  return found;
}

function sandboxPorts(
  ports: OperationsPorts, { clientId, body, outcome, partner }: SandboxCall, limits: SandboxLimits,
): { readonly parts: OperationsPorts; readonly remember: () => Promise<void> } {
  const store = createSandboxStore(limits, ports.states.store, clientId);
  const memory = createSandboxMemory(MEMORY, store);
  const log = createSandboxLog();
  const over: OperationsPorts['over'] = (other, otherLog) => {
    const made = ports.over(other, otherLog);
    const { states = ports.states } = made;
    return {
      ...made,
      states: {
        ...states,
        // Who the client is, and what its limits are, is as real as its token.
        access: ports.states.access, lastFixes: memory.lastFixes, traceables: NO_TRACEABLES,
        parties: { ...states.parties, ...STAND_IN_PARTIES },
        telemetryRequests: anyRequest(states.telemetryRequests, body),
      },
    };
  };
  const parts: OperationsPorts = {
    ...ports, ...over(store, log), ...NO_HISTORY, over, log,
    images: dryImages(ports.images), itemOutcomes: memory.receipts, takenCalls: undefined,
    live: ports.live && quietLive(ports.live), deadLetters: undefined, pipeline: undefined,
    overflowSource: undefined,
  };
  return {
    parts,
    async remember() {
      const records: readonly OutgoingRecord[] = log.appended;
      await memory.remember(records, outcome);
      await answerAsPartners(parts.states, records, partner);
      await bindShipments(parts.states, records);
    },
  };
}
