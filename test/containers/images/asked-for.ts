/** A stand-in of an image: the folder of its Dockerfile. */
export type StandIn = 'node' | 'kafka' | 'redis' | 'registry' | 'clickhouse';

/** An image of others that our files name, and its stand-in. */
export interface AskedFor {
  readonly image: string;
  readonly standIn: StandIn;
}

/** By the name without its tag. The tag is that of our files. */
const STAND_INS: Readonly<Record<string, StandIn>> = {
  node: 'node',
  'apache/kafka': 'kafka',
  redis: 'redis',
  'apicurio/apicurio-registry': 'registry',
  'clickhouse/clickhouse-server': 'clickhouse',
};

/** A service of a compose file, as far as its image is concerned. */
export interface ServiceImage {
  readonly image?: string;
  readonly profiles?: readonly string[];
  readonly build?: unknown;
}

/**
 * The images that a Dockerfile begins with and that services of a profile run, without our own.
 * Throws one sentence when one has no stand-in.
 */
export function imagesAskedFor(
  dockerfile: string, services: Readonly<Record<string, ServiceImage>>, profile: string,
): readonly AskedFor[] {
  const stages = [...dockerfile.matchAll(/^FROM (\S+)(?: AS (\S+))?/gm)];
  const own = new Set(stages.map(([, , name]) => name));
  const bases = stages.flatMap(([, image = '']) => (own.has(image) ? [] : [image]));
  const run = Object.values(services).flatMap(({ image, profiles = [], build }) => (
    image === undefined || build !== undefined || !profiles.includes(profile) ? [] : [image]));
  return [...new Set([...bases, ...run])].map((image) => ({ image, standIn: standInOf(image) }));
}

function standInOf(image: string): StandIn {
  const name = image.replace(/:[^:/]+$/, '');
  const standIn = STAND_INS[name];
  if (standIn === undefined) {
    throw new Error(`The image ${image} has no stand-in (test/containers/images/asked-for.ts).`);
  }
  return standIn;
}
