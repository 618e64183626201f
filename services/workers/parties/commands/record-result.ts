import type { Clock, Pause } from '../../../kernel/clock.ts';
import type { ProviderCommandResult } from '../../../kernel/commands.ts';
import { isUnavailable } from '../../../kernel/unavailable.ts';
import type { RecordLog } from '../../../kernel/record-log.ts';
import type { Signals } from '../../../kernel/signals.ts';

/** What recording results needs. */
export interface RecordResultPorts {
  readonly log: RecordLog;
  readonly clock: Clock;
  readonly pause: Pause;
  readonly signals: Signals;
  readonly isStopping: () => boolean;
}

/**
 * Appends a result and tries again until the log has it: before that, nothing may follow from it.
 * False when the process goes away first; then the command is sent again by the next owner.
 */
export type RecordResult = (result: ProviderCommandResult) => Promise<boolean>;

/** Makes the one way in which results come into the log. */
export function createRecordResult(
  config: { readonly topic: string; readonly appendMsMax: number; readonly holdMs: number },
  ports: RecordResultPorts,
): RecordResult {
  const { log, clock, pause, signals } = ports;
  return async function recordResult(result) {
    for (;;) {
      try {
        await log.append({
          topic: config.topic,
          key: result.command_key,
          value: Buffer.from(JSON.stringify(result)),
          headers: { provider: result.provider },
        }, clock.nowMs() + config.appendMsMax);
        return true;
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        signals.commandResultNotRecorded({
          id: result.command_id, provider: result.provider, code: error.code,
        });
      }
      if (ports.isStopping()) return false;
      await pause(config.holdMs);
    }
  };
}
