import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { startTestEnv, type TestEnv } from '../../support/platform.ts';
import { admissionSuite } from './admission.suite.ts';
import { bodiesSuite } from './bodies.suite.ts';
import { canarySuite } from './canary.suite.ts';
import { dataSuite } from './data.suite.ts';
import { devicesSuite } from './devices.suite.ts';
import { ERASED, erasureSuite } from './erasure.suite.ts';
import { locationsSuite } from './locations.suite.ts';
import { PERSONS, personsSuite } from './persons.suite.ts';
import { releasesSuite } from './releases.suite.ts';
import { revocationSuite } from './revocation.suite.ts';
import { sandboxSuite } from './sandbox.suite.ts';
import { shipmentsSuite } from './shipments.suite.ts';
import { storySuite } from './story.suite.ts';
import { tokensSuite } from './tokens.suite.ts';
import { topicsSuite } from './topics.suite.ts';

// One platform for all that breaks nothing; what is broken on purpose has a file of its own.
let platform: TestEnv;
const imageKey = randomBytes(32).toString('base64');
const images = mkdtempSync(join(tmpdir(), 'rastro-images-'));
beforeAll(async () => {
  platform = await startTestEnv({
    gatewayEnv: {
      RASTRO_IMAGE_DIR: images, RASTRO_IMAGE_KEY: imageKey,
    },
  });
}, 150_000);
afterAll(async () => {
  await platform.close();
  rmSync(images, { recursive: true, force: true });
});

const at = (): TestEnv => platform;
topicsSuite(at);
storySuite(at);
tokensSuite(at);
revocationSuite(at);
devicesSuite(at);
locationsSuite(at);
dataSuite(at);
sandboxSuite(at);
shipmentsSuite(at);
bodiesSuite(at);
admissionSuite(at);
releasesSuite(at);
personsSuite(at);
erasureSuite(at);
// The last: it looks through what all of the above left behind.
canarySuite(at, () => [
  imageKey, ...Object.values(PERSONS), ...Object.values(ERASED),
]);
