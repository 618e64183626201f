import { afterAll, beforeAll } from 'vitest';
import { startPlatform, type Platform } from '../../support/platform.ts';
import { storySuite } from './story.suite.ts';

let platform: Platform;
beforeAll(async () => { platform = await startPlatform(); }, 150_000);
afterAll(() => platform.close());

const at = (): Platform => platform;
storySuite(at);
