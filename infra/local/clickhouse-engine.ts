// The ClickHouse server process: it serves HTTP until its standard input closes. Arguments: the
// data directory, the configuration file, the HTTP port, and as JSON the files and folders that it
// may use. It runs alone because the call blocks the main thread for its whole life, and because
// the engine may abort the process it is in.
import { writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { confine, type FileAccess } from './landlock.ts';

const require = createRequire(import.meta.url);

const ffi = require('ffi-rs') as typeof import('ffi-rs');
const engine = 'chdb';
const [dir = '', config = '', port = '', reach = ''] = process.argv.slice(2);
const statements = [
  'SYSTEM START LISTEN HTTP',
  // Reads standard input until it closes: that is how the server is stopped in order.
  'SELECT line FROM table FORMAT Null',
];
// Never --tcp_port: one failed login over the native protocol aborts the whole process.
const args = [
  ...['clickhouse-local', '--path', dir, '--config-file', config],
  ...['--listen_host', '127.0.0.1', '--http_port', port],
  ...['--input-format', 'LineAsString', '--structure', 'line String'],
  ...['--output-format', 'TabSeparated', '--query', statements.join('; ')],
];

const library = dirname(require.resolve('@chdb/lib-linux-x64-gnu/package.json'));
ffi.open({ library: engine, path: join(library, 'libchdb.so') });
// Anyone who may ask for a column may ask the engine to read a file, and it has no sandbox.
if (reach !== '') confine(JSON.parse(reach) as FileAccess);
const result = ffi.load({
  library: engine,
  funcName: 'chdb_query_cmdline',
  retType: ffi.DataType.External,
  paramsType: [ffi.DataType.I32, ffi.DataType.StringArray],
  paramsValue: [args.length, args],
});
const readError = {
  library: engine,
  funcName: 'chdb_result_error',
  paramsType: [ffi.DataType.External],
  paramsValue: [result],
};
// The engine reports a failure only here: its exit code would be 0.
const failure = ffi.load({ ...readError, retType: ffi.DataType.External });
if (!ffi.isNullPointer(failure)) {
  writeSync(2, `${ffi.load({ ...readError, retType: ffi.DataType.String })}\n`);
  process.exit(1);
}
process.exit(0);
