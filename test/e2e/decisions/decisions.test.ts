import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, it } from 'vitest';
import { createCast } from '../../support/decisions/cast.ts';
import { openParties } from '../../support/decisions/parties.ts';
import { readExamples, type Example } from '../../support/decisions/read-examples.ts';
import { runExample, type ExampleStage } from '../../support/decisions/run-example.ts';
import { startTestEnv } from '../../support/platform.ts';

// Every example of docs/decisions/examples, sent to a whole platform; those that take a part away
// come last.
const imageDir = mkdtempSync(join(tmpdir(), 'rastro-images-'));
const vaultKey = randomBytes(32).toString('base64');
let stage: ExampleStage;
beforeAll(async () => {
  const images = { RASTRO_IMAGE_DIR: imageDir, RASTRO_IMAGE_KEY: vaultKey };
  const platform = await startTestEnv({
    gatewayEnv: images, partiesEnv: { ...images, RASTRO_VAULT_KEY: vaultKey },
  });
  stage = {
    platform, gateways: new Map(), cast: createCast(platform),
    parties: await openParties(platform, vaultKey),
  };
}, 150_000);
afterAll(async () => {
  await stage.parties.close();
  await stage.platform.close();
  rmSync(imageDir, { recursive: true, force: true });
});

const takesAway = ({ steps }: Example): boolean => steps.some((step) => 'part' in step);
const all = readExamples().flatMap(({ page, heading, examples }) => (
  examples.map((example) => ({ title: `${page}, ${heading}: ${example.shows}`, example }))
));

describe('the calm examples of decisions', () => {
  it.each(all.filter(({ example }) => !takesAway(example)))(
    '$title', ({ example }) => runExample(stage, example), 90_000,
  );
});

describe('the examples of decisions that take a part away', () => {
  /** An example that fails halfway leaves nothing away; what runs already is left as it is. */
  afterEach(async () => {
    const { redis, kafka, projectors } = stage.platform;
    await Promise.all([redis.start(), kafka.start()]);
    await projectors.start();
  });

  it.each(all.filter(({ example }) => takesAway(example)))(
    '$title', ({ example }) => runExample(stage, example), 120_000,
  );
});
