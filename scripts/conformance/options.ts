import { parseArgs } from 'node:util';

/** What `npm run conformance` was asked to do. */
export interface ConformanceOptions {
  /** A running system; undefined to start one. */
  readonly target: string | undefined;
  /** The provider of that system; undefined when none is to be examined. */
  readonly providerTarget: string | undefined;
  readonly port: number;
  readonly only: string;
  readonly finalCode: string;
  readonly help: boolean;
}

/** How `npm run conformance` is used. */
export const USAGE = `Examines Rastro from the other side, in all three roles of the interface.

  npm run conformance -- [options]

  --target URL           a running system instead of a private one; with its credentials in
                         RASTRO_CLIENT_ID, RASTRO_CLIENT_SECRET, RASTRO_PROVIDER, RASTRO_COUNTRY
  --provider-target URL  its provider, with RASTRO_PROVIDER_COMMAND_TOKEN; else that role is left out
  --final-code CODE      a code that ends a shipment there (default EX-DELIVERED)
  --only PREFIX          only the checks whose id begins so
  --port P               the private system listens on P to P+15 (default 18300)
  --help                 this text

Exit code 1 when a check fails or is skipped.
`;

/** Reads the command line; throws one sentence about what is wrong with it. */
export function readOptions(args: readonly string[]): ConformanceOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      'target': { type: 'string' },
      'provider-target': { type: 'string' },
      'final-code': { type: 'string', default: 'EX-DELIVERED' },
      'only': { type: 'string', default: '' },
      'port': { type: 'string', default: '18300' },
      'help': { type: 'boolean', default: false },
    },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 1_024 || port > 65_500) {
    throw new Error(`--port is ${values.port}, not a number from 1024 to 65500.`);
  }
  return {
    target: values.target, providerTarget: values['provider-target'], port,
    only: values.only, finalCode: values['final-code'], help: values.help,
  };
}
