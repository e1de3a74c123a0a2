/** For tests only: objects of Kubernetes that name images. */
type Spec = Record<string, unknown>;

interface Kind {
  /** Of the list in a namespace. */
  path: string;
  apiVersion: string;
  wrap(spec: Spec): Spec;
}

const LABELS = { app: 'web' };
const template = (spec: Spec) => ({ metadata: { labels: LABELS }, spec });
const workload = (spec: Spec) => ({ selector: { matchLabels: LABELS }, template: template(spec) });
const once = (spec: Spec) => ({ template: template({ ...spec, restartPolicy: 'Never' }) });
const apps = (plural: string) => ({
  path: `/apis/apps/v1/namespaces/NAMESPACE/${plural}`,
  apiVersion: 'apps/v1',
});
const core = (plural: string) => ({
  path: `/api/v1/namespaces/NAMESPACE/${plural}`,
  apiVersion: 'v1',
});
const batch = (plural: string) => ({
  path: `/apis/batch/v1/namespaces/NAMESPACE/${plural}`,
  apiVersion: 'batch/v1',
});

const KINDS = {
  Pod: { ...core('pods'), wrap: (spec) => ({ spec }) },
  PodTemplate: { ...core('podtemplates'), wrap: (spec) => ({ template: template(spec) }) },
  ReplicationController: {
    ...core('replicationcontrollers'),
    wrap: (spec) => ({ spec: { selector: LABELS, template: template(spec) } }),
  },
  Deployment: { ...apps('deployments'), wrap: (spec) => ({ spec: workload(spec) }) },
  ReplicaSet: { ...apps('replicasets'), wrap: (spec) => ({ spec: workload(spec) }) },
  DaemonSet: { ...apps('daemonsets'), wrap: (spec) => ({ spec: workload(spec) }) },
  StatefulSet: {
    ...apps('statefulsets'),
    wrap: (spec) => ({ spec: { ...workload(spec), serviceName: 'web' } }),
  },
  Job: { ...batch('jobs'), wrap: (spec) => ({ spec: once(spec) }) },
  CronJob: {
    ...batch('cronjobs'),
    wrap: (spec) => ({ spec: { schedule: '0 3 * * *', jobTemplate: { spec: once(spec) } } }),
  },
} as const satisfies Record<string, Kind>;

export type KubeKind = keyof typeof KINDS;
export const KUBE_KINDS = Object.keys(KINDS) as KubeKind[];

/** Where it is posted, and what. */
export function objectOf(
  kind: KubeKind,
  namespace: string,
  spec: Spec,
  name: string,
): { path: string; body: Spec } {
  const { path, apiVersion, wrap } = KINDS[kind];
  const metadata = { name, namespace };
  return {
    path: path.replace('NAMESPACE', namespace),
    body: { apiVersion, kind, metadata, ...wrap(spec) },
  };
}

export function specOf(...images: string[]): Spec {
  return { containers: images.map((image, at) => ({ name: `c${at}`, image })) };
}
