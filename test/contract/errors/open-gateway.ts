import type { OperationsPorts } from '../../../services/gateways/assemble-operations.ts';
import { openWholeEdge, type WholeEdge } from '../../support/whole-edge.ts';

const FREE = { allowed: true, retryAfterSeconds: 0 } as const;

/** One gateway for all wrong calls: no limit is reached but where a call says so. */
export function openGateway(): Promise<WholeEdge> {
  const http = { badTokensPerMinute: 6_000, badTokensBurst: 6_000 };
  return openWholeEdge({ http }, withoutTokenLimits);
}

function withoutTokenLimits(parts: OperationsPorts): OperationsPorts {
  return {
    ...parts,
    states: unlimited(parts.states),
    over(store, log) {
      const { states = parts.states, ...rest } = parts.over(store, log);
      return { ...rest, states: unlimited(states) };
    },
  };
}

function unlimited(states: OperationsPorts['states']): OperationsPorts['states'] {
  return {
    ...states,
    access: {
      ...states.access,
      chargeTokenRequest: async () => FREE,
      chargeProvenClient: async () => FREE,
      recordTokenFailure: async () => FREE,
    },
  };
}
