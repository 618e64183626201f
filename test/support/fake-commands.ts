import { counts } from '../../services/domain/monitoring/result.ts';
import type {
  CommandStates, Monitoring, PlacedCommand, ProviderCommandIssued, StoredCommand,
  TelemetryRequest, TelemetryRequests,
} from '../../services/kernel/commands.ts';
import { Unavailable } from '../../services/kernel/unavailable.ts';
import type { Leases } from '../../services/kernel/leases.ts';
import type { PartyRecorded, PartyStates } from '../../services/kernel/parties.ts';

/** The ports about commands, parties and leases in memory, for the tests of who uses them. */
export interface FakeCommands {
  readonly commands: CommandStates;
  readonly monitoring: Monitoring;
  readonly telemetryRequests: TelemetryRequests;
  readonly parties: PartyStates;
  readonly leases: Leases;
  /** Every call rejects with this fault from now on; without a code they work again. */
  failWith(code?: 'state_unavailable' | 'state_not_ready'): void;
  /** Forgets everything; until `markReady` it is not ready either. */
  wipe(): void;
  markReady(): void;
}

/** Makes empty, ready states; `nowMs` drives the leases. */
export function fakeCommands(nowMs: () => number = () => Date.now()): FakeCommands {
  const commands = new Map<string, StoredCommand['issued']>();
  const results = new Map<string, NonNullable<StoredCommand['result']>>();
  const newest = new Map<string, PlacedCommand>();
  const requests = new Map<string, TelemetryRequest>();
  const parties = new Map<string, PartyRecorded>();
  const leases = new Map<string, { owner: string; fence: number; untilMs: number }>();
  let isReady = true;
  let failure: 'state_unavailable' | 'state_not_ready' | undefined;

  function guard(marked = true): void {
    if (failure !== undefined) throw new Unavailable(failure, 'apply', 'as the test asked');
    if (marked && !isReady) throw new Unavailable('state_not_ready', 'apply', 'no ready mark');
  }

  function put({ type: _, body, ...issued }: ProviderCommandIssued): void {
    const transport = 'transport' in body ? { transport_id: body.transport.id } : {};
    commands.set(issued.command_id, { ...issued, command: body.command, ...transport });
  }

  function find(commandId: string): StoredCommand | undefined {
    const issued = commands.get(commandId);
    return issued === undefined ? undefined : { issued, result: results.get(commandId) };
  }

  function applyCommand(placed: PlacedCommand): void {
    const { body, provider } = placed.event;
    put(placed.event);
    if (body.command === 'start_tracking' || body.command === 'stop_tracking') {
      const name = `${provider} ${body.transport.id}`;
      const kept = newest.get(name);
      if (kept === undefined || placed.position.offset > kept.position.offset) {
        newest.set(name, placed);
      }
    }
    noteRequest(placed.event);
  }

  function noteRequest({ body, provider, command_id, at_ms }: ProviderCommandIssued): void {
    if (body.command !== 'process_telemetry_events') return;
    const name = `${provider} ${body.id}`;
    const kept = requests.get(name);
    if (kept !== undefined && kept.command_id <= command_id) return;
    requests.set(name, { command_id, transport_id: body.transport.id, at_ms });
  }

  return {
    commands: {
      async find(commandId) { guard(); return find(commandId); },
      async put(event) { guard(); put(event); noteRequest(event); },
      async applyCommands(placed) { guard(false); placed.forEach(applyCommand); },
      async applyResults(events) {
        guard(false);
        for (const { type: _, ...result } of events) {
          const { command_id } = result;
          if (counts(result, results.get(command_id))) results.set(command_id, result);
        }
      },
    },
    monitoring: {
      async find(provider, transportId) {
        guard();
        const event = newest.get(`${provider} ${transportId}`)?.event;
        const command = event?.body.command;
        if (command !== 'start_tracking' && command !== 'stop_tracking') return undefined;
        return { command, result: results.get(event?.command_id ?? '') };
      },
    },
    telemetryRequests: {
      async find(provider, id) { guard(); return requests.get(`${provider} ${id}`); },
    },
    parties: fakeParties(parties, guard),
    leases: fakeLeases(leases, guard, nowMs),
    failWith(code) { failure = code; },
    wipe() {
      isReady = false;
      for (const store of [commands, results, newest, requests, parties, leases]) store.clear();
    },
    markReady() { isReady = true; },
  };
}

function fakeParties(
  parties: Map<string, PartyRecorded>, guard: (marked?: boolean) => void,
): PartyStates {
  const active = (): PartyRecorded[] =>
    [...parties.values()].filter(({ status }) => status === 'active');
  return {
    async find(partyId) { guard(); return parties.get(partyId); },
    async byProvider(name) { guard(); return active().find(({ provider }) => provider === name); },
    async carriers() { guard(); return active().filter(({ kind }) => kind === 'carrier'); },
    async apply(event) {
      guard(false);
      if (event.version > (parties.get(event.party_id)?.version ?? 0)) {
        parties.set(event.party_id, event);
      }
    },
  };
}

function fakeLeases(
  leases: Map<string, { owner: string; fence: number; untilMs: number }>,
  guard: (marked?: boolean) => void, nowMs: () => number,
): Leases {
  return {
    async claim(name, owner, leaseMs, fenceLeast) {
      guard(false);
      const kept = leases.get(name) ?? { owner: '', fence: 0, untilMs: 0 };
      const isFree = kept.owner === '' || kept.untilMs <= nowMs();
      if (!isFree && kept.owner !== owner) return undefined;
      const isNew = isFree || kept.fence <= fenceLeast;
      const fence = isNew ? Math.max(kept.fence, fenceLeast) + 1 : kept.fence;
      leases.set(name, { owner, fence, untilMs: nowMs() + leaseMs });
      return fence;
    },
    async renew(name, owner, leaseMs) {
      guard(false);
      const kept = leases.get(name);
      if (kept?.owner !== owner || kept.untilMs <= nowMs()) return false;
      kept.untilMs = nowMs() + leaseMs;
      return true;
    },
    async release(name, owner) {
      guard(false);
      const kept = leases.get(name);
      if (kept?.owner === owner) Object.assign(kept, { owner: '', untilMs: 0 });
    },
  };
}
