import { describe } from 'vitest';
import { openRedisStates } from '../../support/open-redis-states.ts';
import { webhookStatesSuite } from '../../support/webhook-states.suite.ts';

describe('Webhooks in Redis', () => webhookStatesSuite(() => openRedisStates()));
