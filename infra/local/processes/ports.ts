import type { StackPorts } from '../local-part.ts';

/** One port of 127.0.0.1 for everything that listens; `kafka` also takes the one after it. */
export interface StartPorts {
  readonly http: number;
  readonly gatewayAdmin: number;
  readonly projectorsAdmin: number;
  readonly writerAdmin: number;
  readonly provider: number;
  readonly stack: StackPorts;
}

/** All ports of one copy, counted up from its HTTP port, so that two copies can run. */
export function portsFrom(http: number): StartPorts {
  return {
    http,
    gatewayAdmin: http + 1,
    projectorsAdmin: http + 2,
    writerAdmin: http + 3,
    provider: http + 4,
    stack: { kafka: http + 10, redis: http + 12, clickhouse: http + 13, registry: http + 14 },
  };
}
