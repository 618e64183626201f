import type { TokenLimits, TokenQuota } from '../../kernel/access.ts';
import { shardOf } from '../../kernel/shards.ts';
import type { RedisConfig } from './config.ts';
import { callerDigest, failureSlot, keys, tagOf } from './keys.ts';
import type { RunScript } from './script-runner.ts';

/** Counters of token requests and of wrong secrets; see README.md. */
export function createTokenLimits(config: RedisConfig, runScript: RunScript): TokenLimits {
  async function charge(names: readonly string[]): Promise<TokenQuota> {
    const interval = 60_000_000 / config.tokenRequestsPerMinute;
    return quotaOf(await runScript(
      'charge-token-request', names, [interval, config.tokenRequestsBurst],
    ));
  }

  /** Beside the limit of the client id, so that one script reaches both. */
  function failuresOf(tag: string, clientId: string, address: string): string {
    return keys.tokenFailures(tag, failureSlot(clientId, address, config.tokenFailureSlots));
  }

  return {
    async chargeTokenRequest(address) {
      const id = callerDigest(address);
      return charge([keys.tokenRequests(tagOf(shardOf(id)), 'address', id)]);
    },

    async chargeProvenClient(clientId, address) {
      const id = callerDigest(clientId);
      const tag = tagOf(shardOf(id));
      return charge([keys.tokenRequests(tag, 'client', id), failuresOf(tag, clientId, address)]);
    },

    async recordTokenFailure(clientId, address) {
      const tag = tagOf(shardOf(callerDigest(clientId)));
      return quotaOf(await runScript('record-token-failure', [failuresOf(tag, clientId, address)], [
        config.tokenFailuresFree, config.tokenDelayMsMin, config.tokenDelayMsMax,
        config.tokenFailuresKeptMs,
      ]));
    },
  };
}

function quotaOf(reply: unknown): TokenQuota {
  const wait = Number(reply);
  return { allowed: wait === 0, retryAfterSeconds: wait };
}
