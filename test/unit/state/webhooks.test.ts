import { describe } from 'vitest';
import { memoryStates } from '../../support/memory-states.ts';
import { webhookStatesSuite } from '../../support/webhook-states.suite.ts';

describe('Webhooks over entries in memory', () => webhookStatesSuite(async () => (
  { ...memoryStates(), close: () => undefined }
)));
