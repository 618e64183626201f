import { describe } from 'vitest';
import { openRedisStates } from '../../support/open-redis-states.ts';
import { personalKeyStatesSuite } from '../../support/personal-key-states.suite.ts';

describe('Redis', () => personalKeyStatesSuite(() => openRedisStates({ applyBatchMax: 2 })));
