import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KAFKA_CLIENTS } from '../../../services/adapters/kafka/config.ts';

const ROOT = resolve(import.meta.dirname, '..', '..', '..');

/** Opens all of the log in a process of its own; prints how often platformatic was asked for. */
const PROGRAM = `
import { registerHooks } from 'node:module';
let asked = 0;
registerHooks({ resolve(name, context, next) {
  if (name.startsWith('@platformatic/kafka')) asked += 1;
  return next(name, context);
} });
for (const part of ['services/gateways/assemble.ts', 'services/workers/assemble.ts',
  'services/cli/assemble-log.ts', 'infra/kafka/make-topics.ts']) await import('./' + part);
const { openKafka } = await import('./services/adapters/kafka/open.ts');
const { silentSignals: signals } = await import('./services/kernel/signals.ts');
const topics = [{ name: 't', partitions: 1, cleanup: 'delete', retention_ms: 1,
  message_bytes_max: 9 }];
const log = openKafka({ client: process.argv[1], brokers: ['127.0.0.1:1'], clientId: 't', topics,
  connectMsMax: 100, requestMsMax: 100 },
{ signals, clock: { nowMs: () => Date.now() }, schemaIdOf: () => 1 });
log.consumer({ group: 'g', topics: ['t'] }, () => undefined);
await log.recordLog.append({ topic: 't', key: 'k', value: Buffer.from('1'), headers: {} },
  Date.now() + 200).catch(() => undefined);
process.stdout.write(String(asked));
process.exit(0);
`;

const timesAsked = (client: string): number => Number(execFileSync(
  process.execPath, ['--input-type=module', '-e', PROGRAM, client], { cwd: ROOT, encoding: 'utf8' },
));

describe('a process that runs on one client library', () => {
  it.each(KAFKA_CLIENTS)('%s loads @platformatic/kafka only if it is the one', (client) => {
    expect(timesAsked(client) > 0).toBe(client === 'platformatic');
  }, 60_000);
});
