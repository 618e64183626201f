import type {
  CommandStates, Monitoring, NewestMonitoring, PlacedCommand, ProviderCommandIssued,
  ProviderCommandResult, StoredCommand, TelemetryRequest, TelemetryRequests,
} from '../../kernel/commands.ts';
import { shardOf } from '../../kernel/shards.ts';
import { entityDigest, keys, tagOf } from './keys.ts';
import type { RunScript } from './script-runner.ts';
import { toFields } from './texts.ts';

/** Commands are kept as long as their topics keep them. */
const KEPT_MS = 90 * 86_400_000;

const tagOfText = (text: string): string => tagOf(shardOf(text));

/** What the state store knows of provider commands, in three views. */
export interface CommandViews {
  readonly commands: CommandStates;
  readonly monitoring: Monitoring;
  readonly telemetryRequests: TelemetryRequests;
}

/**
 * Commands by their id, the newest start or stop by transport and provider, and requests for
 * deferred events by provider and id: each in the shard of what it is looked up by.
 */
export function createCommandViews(runScript: RunScript): CommandViews {
  async function read(tag: string, key: string): Promise<ReadonlyMap<string, string> | undefined> {
    return toFields(await runScript('read', [keys.ready(tag), key], []));
  }

  async function find(commandId: string): Promise<StoredCommand | undefined> {
    const tag = tagOfText(commandId);
    const fields = await read(tag, keys.command(tag, commandId));
    const issued = fields?.get('issued');
    if (issued === undefined) return undefined;
    return {
      issued: JSON.parse(issued) as StoredCommand['issued'],
      result: resultIn(fields?.get('result')),
    };
  }

  async function merge(event: ProviderCommandIssued, isMarked: boolean): Promise<void> {
    const tag = tagOfText(event.command_id);
    await runScript(
      'merge-command', [keys.command(tag, event.command_id)],
      [isMarked ? 1 : 0, event.at_ms + KEPT_MS, JSON.stringify(withoutBody(event))],
    );
  }

  async function applyCommand({ event, position }: PlacedCommand): Promise<void> {
    const { body, provider, command_id } = event;
    await merge(event, false);
    if (body.command === 'start_tracking' || body.command === 'stop_tracking') {
      const key = monitoringKey(provider, body.transport.id);
      await runScript(
        'note-monitoring', [key],
        [position.topicId, String(position.offset), body.command, command_id],
      );
    }
    await noteTelemetryRequest(event);
  }

  /** A provider may answer at once, so this is noted where a command is put, too. */
  async function noteTelemetryRequest(event: ProviderCommandIssued): Promise<void> {
    const { body, provider, command_id, at_ms } = event;
    if (body.command !== 'process_telemetry_events') return;
    const request: TelemetryRequest = { command_id, transport_id: body.transport.id, at_ms };
    await runScript(
      'note-telemetry-request', [telemetryRequestKey(provider, body.id)],
      [command_id, at_ms + KEPT_MS, JSON.stringify(request)],
    );
  }

  async function applyResult({ type: _, ...result }: ProviderCommandResult): Promise<void> {
    const tag = tagOfText(result.command_id);
    const isFinal = result.outcome !== 'retry';
    await runScript(
      'merge-command-result', [keys.command(tag, result.command_id)],
      [
        isFinal ? 1 : 0, result.fence, result.attempt, result.at_ms + KEPT_MS,
        JSON.stringify(result),
      ],
    );
  }

  return {
    commands: {
      find,
      async put(event) {
        await merge(event, true);
        await noteTelemetryRequest(event);
      },
      applyCommands: async (commands) => { await Promise.all(commands.map(applyCommand)); },
      applyResults: async (results) => { await Promise.all(results.map(applyResult)); },
    },
    monitoring: {
      async find(provider, transportId) {
        const tag = tagOfText(String(transportId));
        const fields = await read(tag, monitoringKey(provider, transportId));
        const command = fields?.get('command') as NewestMonitoring['command'] | undefined;
        if (command === undefined) return undefined;
        return { command, result: (await find(fields?.get('command_id') ?? ''))?.result };
      },
    },
    telemetryRequests: {
      async find(provider, id) {
        const fields = await read(tagOfText(id), telemetryRequestKey(provider, id));
        const request = fields?.get('request');
        return request === undefined ? undefined : JSON.parse(request) as TelemetryRequest;
      },
    },
  };
}

function monitoringKey(provider: string, transportId: number): string {
  return keys.monitoring(tagOfText(String(transportId)), provider, transportId);
}

function telemetryRequestKey(provider: string, id: string): string {
  return keys.telemetryRequest(tagOfText(id), entityDigest(provider, id));
}

function withoutBody({ type: _, body, ...issued }: ProviderCommandIssued): StoredCommand['issued'] {
  const transport = 'transport' in body ? { transport_id: body.transport.id } : {};
  return { ...issued, command: body.command, ...transport };
}

function resultIn(text: string | undefined): StoredCommand['result'] {
  return text === undefined ? undefined : JSON.parse(text) as StoredCommand['result'];
}
