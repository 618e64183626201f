import product from '../../../package.json' with { type: 'json' };
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { keyedSecrets, sha256 } from '../../adapters/secrets/secrets.ts';
import { createIds, systemClock, systemPause } from '../../adapters/system/system.ts';
import type { Signals } from '../../kernel/signals.ts';
import { createWriteAudit, type WriteAudit } from '../audit/record-command.ts';
import { openOperatorLog, type LogConfig } from '../assemble-log.ts';
import type { DeadLetterPorts } from './ports.ts';

const CLOSE_MS_MAX = 15_000;

/** Opens what the commands about dead letters need: unlike others they may write any topic. */
export async function openDeadLetters(
  config: LogConfig & { readonly secretPepper: string }, signals: Signals,
): Promise<{
  readonly ports: DeadLetterPorts;
  readonly writeAudit: WriteAudit;
  readonly close: () => Promise<void>;
}> {
  const clock = systemClock;
  const kafka = openOperatorLog(config, signals, Object.values(TOPICS));
  return {
    ports: {
      log: kafka.recordLog, reader: kafka.reader, clock, pause: systemPause, digest: sha256,
      codeVersion: product.version,
    },
    writeAudit: createWriteAudit({
      log: kafka.recordLog, clock, ids: createIds(clock),
      secrets: keyedSecrets(config.secretPepper),
    }),
    close: () => kafka.close(clock.nowMs() + CLOSE_MS_MAX),
  };
}
