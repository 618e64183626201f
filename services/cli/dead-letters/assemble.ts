import product from '../../../package.json' with { type: 'json' };
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { createLogWatch } from '../../adapters/kafka/log-watch.ts';
import { keyedSecrets, sha256 } from '../../adapters/secrets/secrets.ts';
import { createIds, systemClock, systemPause } from '../../adapters/system/system.ts';
import type { Signals } from '../../kernel/signals.ts';
import { createWriteAudit, type WriteAudit } from '../audit/record-command.ts';
import type { StateAddress } from '../assemble.ts';
import { openFolds } from '../assemble-folds.ts';
import { openOperatorLog, reachLog, type LogConfig } from '../assemble-log.ts';
import { createOpenDeadLetterLog } from '../../operator/dead-letters/open-log.ts';
import type { DeadLetterPorts } from './ports.ts';

const CLOSE_MS_MAX = 15_000;

/** Opens what the commands about dead letters need: unlike others they may write any topic. */
export async function openDeadLetters(
  config: LogConfig & {
    readonly secretPepper: string; readonly redis?: StateAddress | undefined;
  }, signals: Signals,
): Promise<{
  readonly ports: DeadLetterPorts;
  readonly writeAudit: WriteAudit;
  readonly close: () => Promise<void>;
}> {
  await reachLog(config);
  const clock = systemClock;
  const kafka = openOperatorLog(config, signals, Object.values(TOPICS));
  const source = {
    watch: createLogWatch(kafka.admin), rangeReader: kafka.rangeReader, digest: sha256,
    topicIds: (topics: readonly string[]) => kafka.admin.topicIds(topics),
  };
  return {
    ports: {
      ...source, log: kafka.recordLog, reader: kafka.reader, clock, pause: systemPause,
      codeVersion: product.version,
      open: createOpenDeadLetterLog({
        ...source, signals, folds: openFolds(config.redis, signals),
      }),
    },
    writeAudit: createWriteAudit({
      log: kafka.recordLog, clock, ids: createIds(clock),
      secrets: keyedSecrets(config.secretPepper),
    }),
    close: () => kafka.close(clock.nowMs() + CLOSE_MS_MAX),
  };
}
