import { describe } from 'vitest';
import { feedStatesSuite } from '../../support/feed-states.suite.ts';
import { memoryStates } from '../../support/memory-states.ts';

describe('Feeds over entries in memory', () => feedStatesSuite(async () => (
  { ...memoryStates(), close: () => undefined }
)));
