// The engine as a server in a container: HTTP on 8123, with what users.d and config.d hold.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const DIR = '/var/lib/clickhouse';
const SETTINGS = '/etc/clickhouse-server';
/** The engine logs its own session in as `default`; no second session may use that name. */
const BOOT_USER = '<default><password/><networks><ip>127.0.0.1</ip><ip>::1</ip></networks>'
  + '<profile>boot</profile><quota>default</quota><grants>'
  + '<query>GRANT SYSTEM LISTEN ON *.*</query>'
  + '<query>GRANT CREATE ARBITRARY TEMPORARY TABLE ON *.*</query>'
  + '<query>GRANT TABLE ENGINE ON File</query><query>GRANT SELECT ON default.table</query>'
  + '</grants></default>';
const BOOT_PROFILE = '<boot><max_sessions_for_user>1</max_sessions_for_user></boot>';

if (process.argv[2] === 'engine') serve();
else supervise();

/** Writes the settings and starts the engine as a process of its own: its call never returns. */
function supervise() {
  mkdirSync(join(DIR, 'engine'), { recursive: true });
  // Its log tables of an earlier life keep a new one from starting.
  rmSync(join(DIR, 'engine/data/system'), { recursive: true, force: true });
  writeFileSync(join(DIR, 'users.xml'), users(), { mode: 0o600 });
  writeFileSync(join(DIR, 'config.xml'), `<clickhouse><users_config>${DIR}/users.xml</users_config>
    <max_server_memory_usage>2000000000</max_server_memory_usage>
    <background_pool_size>4</background_pool_size>${inside('backups.xml')}</clickhouse>`);
  const child = spawn(process.execPath, [import.meta.filename, 'engine'], {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.stdin.end());
  child.on('exit', (code) => process.exit(code ?? 1));
}

/** Users as they are mounted; the server itself puts passwords in and removes `default`. */
function users() {
  const folder = join(SETTINGS, 'users.d');
  const file = readdirSync(folder).find((name) => name.endsWith('.xml'));
  return readFileSync(join(folder, file), 'utf8')
    .replace('<default remove="remove"/>', BOOT_USER)
    .replace('</profiles>', `${BOOT_PROFILE}</profiles>`)
    .replace(/<password from_env="([A-Z_]+)"\/>/g, (_all, name) => (
      `<password>${process.env[name] ?? ''}</password>`));
}

/** What a mounted file holds; the logs of the server are none of the engine's. */
function inside(file) {
  const text = readFileSync(join(SETTINGS, 'config.d', file), 'utf8');
  return /<clickhouse>([\s\S]*)<\/clickhouse>/.exec(text)?.[1] ?? '';
}

function serve() {
  const require = createRequire(import.meta.url);
  const ffi = require('ffi-rs');
  const library = dirname(require.resolve('@chdb/lib-linux-x64-gnu/package.json'));
  ffi.open({ library: 'chdb', path: join(library, 'libchdb.so') });
  const args = [
    'clickhouse-local', '--path', join(DIR, 'engine'), '--config-file', join(DIR, 'config.xml'),
    '--listen_host', '0.0.0.0', '--http_port', '8123', '--input-format', 'LineAsString',
    '--structure', 'line String', '--output-format', 'TabSeparated',
    '--query', 'SYSTEM START LISTEN HTTP; SELECT line FROM table FORMAT Null',
  ];
  ffi.load({
    library: 'chdb', funcName: 'chdb_query_cmdline', retType: ffi.DataType.External,
    paramsType: [ffi.DataType.I32, ffi.DataType.StringArray], paramsValue: [args.length, args],
  });
}
