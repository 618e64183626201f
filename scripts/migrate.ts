/** `npm run migrate`: brings a ClickHouse database up to date; runs in the image too. */
import { migrateDatabase } from '../infra/clickhouse/migrate-database.ts';
import { example } from '../services/adapters/command-line/command-line.ts';
import { replicaUrlOf } from '../services/adapters/config/replicas.ts';
import { readTls } from '../services/adapters/config/read-tls.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';

const { env } = process;

await runScript((command, does) => {
  example(command.name('npm run migrate --')
    .description('Applies the migrations that a ClickHouse database lacks. Reads CLICKHOUSE_URL,'
      + ' CLICKHOUSE_USER, CLICKHOUSE_PASSWORD, CLICKHOUSE_DATABASE,'
      + ' CLICKHOUSE_TLS_CA_FILE, RASTRO_COUNTRIES, and RASTRO_CLICKHOUSE_REPLICA with'
      + ' CLICKHOUSE_REPLICAS for a further replica.')
    .argument('[database]', 'database to migrate', env['CLICKHOUSE_DATABASE'] ?? 'tracking')
    .action(does(async (_ports, database: string) => {
      const url = replicaUrlOf({
        CLICKHOUSE_URL: env['CLICKHOUSE_URL'] ?? 'http://127.0.0.1:8123',
        CLICKHOUSE_REPLICAS: (env['CLICKHOUSE_REPLICAS'] ?? '').split(',').filter((each) => each),
        RASTRO_CLICKHOUSE_REPLICA: env['RASTRO_CLICKHOUSE_REPLICA'],
      });
      const report = await migrateDatabase({
        url,
        tls: readTls('CLICKHOUSE', url, env),
        user: env['CLICKHOUSE_USER'] ?? 'admin',
        password: env['CLICKHOUSE_PASSWORD'] ?? '',
        database,
        countries: (env['RASTRO_COUNTRIES'] ?? '').split(',').map((each) => each.trim())
          .filter((each) => each !== ''),
      });
      for (const name of report.alreadyApplied) process.stdout.write(`= ${name}\n`);
      for (const name of report.applied) process.stdout.write(`+ ${name}\n`);
      return 0;
    })),
  'npm run migrate -- tracking', 'Exit codes: 0 up to date, 1 failed, 2 wrong use.');
});
