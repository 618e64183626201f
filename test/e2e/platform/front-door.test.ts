import { afterAll, beforeAll } from 'vitest';
import { startPlatform, type Platform } from '../../support/platform.ts';
import { admissionSuite } from './admission.suite.ts';
import { bodiesSuite } from './bodies.suite.ts';
import { dataSuite } from './data.suite.ts';
import { devicesSuite } from './devices.suite.ts';
import { locationsSuite } from './locations.suite.ts';
import { revocationSuite } from './revocation.suite.ts';
import { storySuite } from './story.suite.ts';
import { tokensSuite } from './tokens.suite.ts';

// One platform for all that breaks nothing; what is broken on purpose has a file of its own.
let platform: Platform;
beforeAll(async () => { platform = await startPlatform(); }, 150_000);
afterAll(() => platform.close());

const at = (): Platform => platform;
storySuite(at);
tokensSuite(at);
revocationSuite(at);
devicesSuite(at);
locationsSuite(at);
dataSuite(at);
bodiesSuite(at);
admissionSuite(at);
