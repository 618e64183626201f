/** What Prometheus Operator is asked to read of Pods. */
export interface PodMonitor {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly podMetricsEndpoints: readonly {
      readonly port: string; readonly path: string;
      readonly interval: string; readonly scrapeTimeout: string;
      readonly relabelings?: readonly Readonly<Record<string, unknown>>[];
    }[];
  };
}

/** Where the Pods are, and who says which are there. */
export interface ScrapePlace {
  readonly namespace: string;
  /** Where Prometheus asks for them. */
  readonly url: string;
}

/** A Pod, as far as it is read. */
export interface ReadPod {
  readonly metadata: {
    readonly name: string; readonly labels?: Readonly<Record<string, string>>;
  };
  readonly spec: { readonly containers: readonly {
    readonly name: string;
    readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
  }[] };
  readonly status?: { readonly podIP?: string; readonly phase?: string };
}

const META = '__meta_kubernetes_pod';
/** As often as the API server would say that something changed, or nearly. */
const ASK_EVERY = '5s';

/** What Prometheus reads then, with the labels that Prometheus Operator adds. */
export function scrapeConfigs(
  { metadata, spec }: PodMonitor, { namespace, url }: ScrapePlace,
): readonly object[] {
  const keep = (label: string, value: string): object => (
    { source_labels: [`${META}_${label}`], regex: value, action: 'keep' });
  return spec.podMetricsEndpoints.map((endpoint, index) => ({
    job_name: `podMonitor/${namespace}/${metadata.name}/${index}`,
    metrics_path: endpoint.path, scrape_interval: endpoint.interval,
    scrape_timeout: endpoint.scrapeTimeout,
    http_sd_configs: [{ url, refresh_interval: ASK_EVERY }],
    relabel_configs: [
      { source_labels: [`${META}_phase`], regex: '(Failed|Succeeded)', action: 'drop' },
      ...Object.entries(spec.selector.matchLabels).map(([name, value]) => (
        keep(`label_${labelName(name)}`, value))),
      keep('container_port_name', endpoint.port),
      { source_labels: ['__meta_kubernetes_namespace'], target_label: 'namespace' },
      { source_labels: [`${META}_container_name`], target_label: 'container' },
      { source_labels: [`${META}_name`], target_label: 'pod' },
      ...(endpoint.relabelings ?? []).map(inSnakeCase),
    ],
  }));
}

/**
 * The ports of Pods with what Prometheus knows of each when it asks Kubernetes itself, which that
 * of Debian cannot.
 */
export function targetsOf(namespace: string, pods: readonly ReadPod[]): readonly object[] {
  return pods.flatMap(({ metadata, spec, status = {} }) => {
    const { podIP, phase = '' } = status;
    if (podIP === undefined) return [];
    const ofPod = {
      '__meta_kubernetes_namespace': namespace, [`${META}_name`]: metadata.name,
      [`${META}_phase`]: phase,
      ...Object.fromEntries(Object.entries(metadata.labels ?? {}).map(([name, value]) => (
        [`${META}_label_${labelName(name)}`, value]))),
    };
    return spec.containers.flatMap(({ name, ports = [] }) => ports.map((port) => ({
      targets: [`${podIP}:${port.containerPort}`],
      labels: {
        ...ofPod, [`${META}_container_name`]: name, [`${META}_container_port_name`]: port.name ?? '',
      },
    })));
  });
}

function labelName(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_]/g, '_');
}

/** Fields of a rule as Prometheus names them. */
function inSnakeCase(rule: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(rule).map(([name, value]) => (
    [name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`), value])));
}
