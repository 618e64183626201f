import type {
  CommandKeys, CommandStates, Monitoring, PlacedCommand, ProviderCommandIssued, StoredCommand,
  TelemetryRequest, TelemetryRequests,
} from '../kernel/commands.ts';
import type { Digest } from '../kernel/digest.ts';
import { shardOf } from '../kernel/shards.ts';
import type { StateFields, StateKey, StateStore } from '../kernel/state-store.ts';
import {
  foldIssued, foldMonitoring, foldResult, foldTelemetryRequest, UNKNOWN_COMMAND,
  type CommandRecord, type MonitoringRecord,
} from '../domain/monitoring/projection.ts';
import type { TransportId } from '../kernel/ids.ts';
import { longOf } from '../kernel/longs.ts';
import type { ClaimConfig } from './claims.ts';
import { createCommandLists } from './command-lists.ts';
import { createCommandKeys } from './command-keys.ts';
import { changeOf, jsonIn, type NextEntry } from './entries.ts';
import { changing, foldFacts, FROM_THE_LOG, READY } from './fold-facts.ts';
import { transact, transactEach, type Work } from './transact.ts';

/** Commands are kept as long as their topics keep them. */
const KEPT_MS = 90 * 86_400_000;

/** What the state store knows of provider commands, in four views. */
export interface CommandViews {
  readonly commands: CommandStates;
  readonly commandKeys: CommandKeys;
  readonly monitoring: Monitoring;
  readonly telemetryRequests: TelemetryRequests;
}

/**
 * Commands by their id, the newest start or stop by transport and provider, and requests for
 * deferred events by provider and id: each in the shard of what it is looked up by.
 */
export function createCommandViews(
  config: ClaimConfig, ports: { readonly store: StateStore; readonly digest: Digest },
): CommandViews {
  const { store, digest } = ports;
  const requestKey = (provider: string, id: string): StateKey => (
    { shard: shardOf(id), kind: 'telemetry-request', id: digest(`${provider}\0${id}`) }
  );

  async function read(key: StateKey): Promise<StateFields | undefined> {
    const { entries } = await store.read([key], READY);
    return entries[0]?.fields;
  }

  async function find(commandId: string): Promise<StoredCommand | undefined> {
    const { issued, result } = commandIn(await read(commandKey(commandId)));
    return issued === undefined ? undefined : { issued, result };
  }

  /** A provider may answer at once, so this is kept where a command is shown, too. */
  const applyRequests = (events: readonly ProviderCommandIssued[]): Promise<void> => foldFacts(
    store,
    events.flatMap((fact) => fact.body.command === 'process_telemetry_events'
      ? [{ key: requestKey(fact.provider, fact.body.id), fact }]
      : []),
    ({ fields }, own) => {
      const kept = jsonIn<TelemetryRequest>(fields, 'request');
      const request = own.reduce(foldTelemetryRequest, kept);
      return request && {
        fields: { request: JSON.stringify(request) }, expireAtMs: request.at_ms + KEPT_MS,
      };
    },
  );

  const lists = createCommandLists(KEPT_MS, store);
  const commandKeys = createCommandKeys({ ...config, keptMs: KEPT_MS }, store);

  return {
    commandKeys,

    commands: {
      find,

      async list(range, after, limit) {
        const { ids, next } = await lists.read(range, after, limit);
        const { entries } = await store.read(ids.map(commandKey), READY);
        const commands = entries.flatMap(({ fields }) => {
          const { issued, result } = commandIn(fields);
          return issued === undefined ? [] : [{ issued, result }];
        });
        return { commands, next };
      },

      async put(event) {
        await transact(store, READY, changing(
          commandKey(event.command_id), ({ fields }) => withIssued(fields, event),
        ));
        await applyRequests([event]);
      },

      async applyCommands(commands) {
        const firsts = await applyIssued(store, commands);
        const events = firsts.map(({ event }) => event);
        await Promise.all([
          foldFacts(store, firsts.flatMap(aboutMonitoring), ({ fields }, own) => (
            monitoringFields(own.reduce(foldPlaced, monitoringIn(fields)))
          )),
          applyRequests(events),
          commandKeys.apply(events),
          lists.add(events),
        ]);
        return firsts;
      },

      applyResults: (results) => foldFacts(
        store, results.map((fact) => ({ key: commandKey(fact.command_id), fact })),
        ({ fields }, own) => commandFields(own.reduce(foldResult, commandIn(fields))),
      ),
    },

    monitoring: {
      async find(provider, transportId) {
        const kept = monitoringIn(await read(monitoringKey(provider, transportId)));
        if (kept === undefined) return undefined;
        return { command: kept.command, result: (await find(kept.command_id))?.result };
      },
    },

    telemetryRequests: {
      async find(provider, id) {
        const fields = await read(requestKey(provider, id));
        return fields && jsonIn<TelemetryRequest>(fields, 'request');
      },
    },
  };
}

/** Folds commands into their entries, and says which of the records are the first of theirs. */
async function applyIssued(
  store: StateStore, commands: readonly PlacedCommand[],
): Promise<readonly PlacedCommand[]> {
  const groups = Map.groupBy(commands, ({ event }) => event.command_id);
  const works = [...groups].map(([commandId, own]): Work<readonly PlacedCommand[]> => {
    const key = commandKey(commandId);
    return {
      keys: [key],
      decide([entry]) {
        const record = own.reduce(
          (kept, { event, recordId }) => foldIssued(kept, event, recordId),
          commandIn(entry?.fields),
        );
        const firsts = own.filter(({ recordId: { topicId, offset } }) => (
          topicId === record.first?.topicId && offset === record.first.offset
        ));
        const change = entry && changeOf(key, entry, commandFields(record));
        return { result: firsts, transaction: change && { entries: [change] } };
      },
    };
  });
  return works.length === 0 ? [] : (await transactEach(store, FROM_THE_LOG, works)).flat();
}

function commandKey(commandId: string): StateKey {
  return { shard: shardOf(commandId), kind: 'command', id: commandId };
}

function monitoringKey(provider: string, transportId: TransportId): StateKey {
  const transport = String(longOf(transportId));
  return { shard: shardOf(transport), kind: 'monitoring', id: `${transport}:${provider}` };
}

function aboutMonitoring(
  fact: PlacedCommand,
): readonly { readonly key: StateKey; readonly fact: PlacedCommand }[] {
  const { body, provider } = fact.event;
  return 'transport' in body ? [{ key: monitoringKey(provider, body.transport.id), fact }] : [];
}

function withIssued(fields: StateFields, event: ProviderCommandIssued): NextEntry {
  return commandFields(foldIssued(commandIn(fields), event));
}

function foldPlaced(
  kept: MonitoringRecord | undefined, { event, recordId }: PlacedCommand,
): MonitoringRecord | undefined {
  return foldMonitoring(kept, event, recordId);
}

function commandIn(fields: StateFields | undefined): CommandRecord {
  if (fields === undefined) return UNKNOWN_COMMAND;
  return {
    issued: jsonIn<StoredCommand['issued']>(fields, 'issued'),
    result: jsonIn<NonNullable<StoredCommand['result']>>(fields, 'result'),
    first: firstIn(fields),
  };
}

function firstIn(fields: StateFields): CommandRecord['first'] {
  const [topicId, offset] = [fields.get('o:topic'), fields.get('o:first')];
  if (topicId === undefined || offset === undefined) return undefined;
  return { topicId, offset: BigInt(offset) };
}

/** A command is kept from its issue on, or longer from its last result on. */
function commandFields({ issued, result, first }: CommandRecord): NextEntry {
  return {
    fields: {
      issued: issued && JSON.stringify(issued), result: result && JSON.stringify(result),
      'o:topic': first?.topicId, 'o:first': first && String(first.offset),
    },
    expireAtMs: ((result ?? issued)?.at_ms ?? 0) + KEPT_MS,
  };
}

function monitoringIn(fields: StateFields | undefined): MonitoringRecord | undefined {
  const [command, topicId] = [fields?.get('command'), fields?.get('topic_id')];
  if (command === undefined || topicId === undefined) return undefined;
  return {
    command: command as MonitoringRecord['command'],
    command_id: fields?.get('command_id') ?? '',
    id: { topicId, offset: BigInt(fields?.get('offset') ?? 0) },
  };
}

function monitoringFields(record: MonitoringRecord | undefined): NextEntry | undefined {
  return record && {
    fields: {
      topic_id: record.id.topicId,
      offset: String(record.id.offset),
      command: record.command,
      command_id: record.command_id,
    },
  };
}
