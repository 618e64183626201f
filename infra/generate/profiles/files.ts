import { PROFILES, type SizeProfile } from '../../values/value.ts';
import { workload } from '../workload.ts';
import { yamlFile, type Yaml } from '../yaml.ts';
import { sizePatches } from './sizes.ts';
import { smallPatches, wholeProcesses } from './small.ts';

const FOLDER = 'infra/kubernetes/profiles/generated';
const COMPONENT = { apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component' };

/** The components of each profile: which processes run, and how large all is. */
export function profileFiles(): Readonly<Record<string, string>> {
  return Object.fromEntries(PROFILES.flatMap((profile) => [
    ...processFiles(profile),
    [`${FOLDER}/${profile}/sizes/kustomization.yaml`, yamlFile([{
      ...COMPONENT, patches: sizePatches(profile),
    }])],
  ]));
}

function processFiles(profile: SizeProfile): readonly (readonly [string, string])[] {
  const folder = `${FOLDER}/${profile}/processes`;
  if (profile === 'small') {
    return [
      [`${folder}/kustomization.yaml`, yamlFile([{
        ...COMPONENT, resources: ['programs.yaml'], patches: smallPatches(),
      }])],
      [`${folder}/programs.yaml`, yamlFile(programs())],
    ];
  }
  return [[`${folder}/kustomization.yaml`, yamlFile([{
    ...COMPONENT,
    components: ['../../../../components/keda', '../../../../components/clickhouse-replica'],
    configMapGenerator: [{
      name: 'rastro-settings', behavior: 'merge',
      literals: ['CLICKHOUSE_REPLICAS=b=https://clickhouse-b:8443'],
    }],
  }])]];
}

/** Without Services: those of the base find them. */
function programs(): readonly Yaml[] {
  return wholeProcesses().flatMap((process) => workload(process, false))
    .filter((each) => (each as { readonly kind: string }).kind !== 'Service');
}
