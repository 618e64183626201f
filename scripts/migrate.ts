// Brings a ClickHouse database up to date: node scripts/migrate.ts [database].
// Environment: CLICKHOUSE_URL, CLICKHOUSE_USER, CLICKHOUSE_PASSWORD, CLICKHOUSE_DATABASE.
import { migrateDatabase } from '../infra/clickhouse/migrate-database.ts';

async function main(): Promise<void> {
  const env = process.env;
  const report = await migrateDatabase({
    url: env['CLICKHOUSE_URL'] ?? 'http://127.0.0.1:8123',
    user: env['CLICKHOUSE_USER'] ?? 'admin',
    password: env['CLICKHOUSE_PASSWORD'] ?? '',
    database: process.argv[2] ?? env['CLICKHOUSE_DATABASE'] ?? 'tracking',
  });
  for (const name of report.alreadyApplied) process.stdout.write(`= ${name}\n`);
  for (const name of report.applied) process.stdout.write(`+ ${name}\n`);
}

await main();
