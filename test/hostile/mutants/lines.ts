import type { HostileMutant } from './mutant.ts';

const SERVER = 'services/adapters/http/server/open-server.ts';

/** Protections against who plays with lines and with the form of HTTP. */
export const LINES_MUTANTS: readonly HostileMutant[] = [
  {
    name: 'lines-without-limit',
    why: 'The server has a limit of connections already.',
    offender: 'idle-lines',
    patches: [{
      file: SERVER,
      find: '  limitConnections(server, config);\n',
      replace: '',
    }],
  },
  {
    name: 'requests-without-waiting',
    why: 'HTTP lets a caller send requests before it has the answers; Node keeps their order.',
    offender: 'pipelined-requests',
    patches: [{
      file: SERVER,
      find: '    if (!mayServe(request, response)) return;\n',
      replace: '',
    }],
  },
];
