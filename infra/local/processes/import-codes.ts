import { join } from 'node:path';
import { kafkaClientNamed } from '../../../services/adapters/kafka/config.ts';
import { openOperator } from '../../../services/cli/assemble.ts';
import { codesCommand } from '../../../services/cli/codes/command.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import type { StackEnv } from '../stack-env.ts';
import { ROOT_DIR } from './process.ts';

/** What codes mean is agreed with each carrier; trying out and tests have a sample. */
export const SAMPLE_CODES_FILE = join(ROOT_DIR, 'schemas/data/notification-codes.sample.json');

/** Imports the sample of codes unless the log has a version; before any worker runs. */
export async function importSampleCodes(
  { KAFKA_BROKERS, SCHEMA_REGISTRY_URL }: StackEnv,
): Promise<void> {
  const { ports, close } = await openOperator({
    brokers: KAFKA_BROKERS.split(','), registryUrl: SCHEMA_REGISTRY_URL,
    kafkaClient: kafkaClientNamed(process.env['RASTRO_KAFKA_CLIENT']), secretPepper: 'not-used-for-codes',
  }, silentSignals);
  try {
    const { exitCode, lines } = await codesCommand(
      ports, ['import', SAMPLE_CODES_FILE, '--lead', '0', '--if-none'],
    );
    if (exitCode !== 0) throw new Error(lines.join(' '));
  } finally {
    await close();
  }
}
