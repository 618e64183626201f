import type { ComposeService, ComposeServices } from './compose-files.ts';

/** The job that gives volumes to those who write there. */
const JOB = 'folders';

/** Folders that an image has itself, or gives to its user as it starts. */
const OWN_FOLDERS: Readonly<Record<string, string>> = {
  'apache/kafka': '/var/lib/kafka/data',
  'redis': '/data',
  'clickhouse/clickhouse-server': '/var/lib/clickhouse',
  'prom/prometheus': '/prometheus',
  'grafana/grafana': '/var/lib/grafana',
};

/** Who writes in images that the file gives no user. */
const USERS: Readonly<Record<string, string>> = {
  'apicurio/apicurio-registry': '1001', 'clickhouse/clickhouse-server': '101',
};

/** Services that would meet a volume of root's, which they may not write. */
export function unwritable(services: ComposeServices): readonly string[] {
  const owners = ownersOf(services[JOB]);
  return Object.entries(services).flatMap(([name, service]) => {
    if (name === JOB) return [];
    const image = service.image?.split(':')[0] ?? '';
    const user = service.user?.split(':')[0] ?? USERS[image] ?? 'unknown';
    const given = mounts(service).filter(({ folder }) => OWN_FOLDERS[image] !== folder);
    return [
      ...given.filter(({ volume }) => owners.get(volume) !== user)
        .map(({ volume }) => `${name} may not write ${volume}, whose owner is not ${user}`),
      ...(given.length > 0 && !waitsFor(name, JOB, services)
        ? [`${name} does not wait for ${JOB}`] : []),
    ];
  });
}

/** The user of each volume after the job, by its words `folder=user`. */
function ownersOf(job: ComposeService | undefined): ReadonlyMap<string, string> {
  const words = new Map((job?.command ?? []).map((word) => {
    const [folder = '', user = ''] = word.split('=');
    return [folder, user] as const;
  }));
  return new Map(mounts(job ?? {}).map(({ volume, folder }) => (
    [volume, words.get(folder) ?? 'root']
  )));
}

/** The named volumes of a service; folders of the machine and temporary ones are none. */
function mounts(
  { volumes = [] }: ComposeService,
): readonly { readonly volume: string; readonly folder: string }[] {
  return volumes.flatMap((each) => {
    if (typeof each !== 'string') return [];
    const [volume = '', folder = ''] = each.split(':');
    return /^[\w-]+$/.test(volume) ? [{ volume, folder }] : [];
  });
}

function waitsFor(name: string, other: string, services: ComposeServices): boolean {
  const before = Object.keys(services[name]?.depends_on ?? {});
  return before.includes(other) || before.some((each) => waitsFor(each, other, services));
}
