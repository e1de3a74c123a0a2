/** Reads the chart as rendered by helm, as far as the tests need it. */
import { join } from 'node:path';
import { run } from '@portcullis/embedded';
import { parseAllDocuments } from 'yaml';

export const CHART = join(import.meta.dirname, '../../deploy/helm/portcullis');
const NAMESPACE = 'prod';

type Labels = Record<string, string>;

export interface Selector {
  matchLabels?: Labels;
  matchExpressions?: { key: string; operator: 'In'; values: string[] }[];
}

interface Peer {
  podSelector?: Selector;
  namespaceSelector?: Selector;
  ipBlock?: { cidr: string };
}

interface Rule {
  ports?: { port: number }[];
  from?: Peer[];
  to?: Peer[];
}

export interface Container {
  name: string;
  args?: string[];
  image?: string;
  securityContext?: object;
  resources?: { requests?: object; limits?: { memory?: string } };
  env?: { name: string; value?: string; valueFrom?: object }[];
  lifecycle?: object;
  readinessProbe?: object;
  startupProbe?: object;
  livenessProbe?: object;
  volumeMounts?: { name: string; mountPath: string; subPath?: string; readOnly?: boolean }[];
}

interface Volume {
  name: string;
  configMap?: { name: string };
  secret?: { secretName: string; items?: { key: string; path: string }[] };
  emptyDir?: { sizeLimit?: string };
  persistentVolumeClaim?: { claimName: string };
  ephemeral?: object;
}

export interface PodSpec {
  containers: Container[];
  initContainers?: Container[];
  volumes?: Volume[];
  affinity?: object;
  securityContext?: object;
  automountServiceAccountToken?: boolean;
  serviceAccountName?: string;
  terminationGracePeriodSeconds?: number;
}

interface PodTemplate {
  metadata: { labels: Labels };
  spec: PodSpec;
}

export interface Rendered {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Labels; annotations?: Labels };
  data?: Record<string, string>;
  spec: {
    replicas?: number;
    template?: PodTemplate;
    jobTemplate?: { spec: { template: PodTemplate } };
    selector?: Selector;
    podSelector?: Selector;
    policyTypes?: string[];
    ingress?: Rule[] | null;
    egress?: Rule[];
    scaleTargetRef?: { kind?: string; name: string };
    strategy?: object;
    volumeClaimTemplates?: { metadata: { name: string; labels?: Labels }; spec: object }[];
    maxReplicas?: number;
    maxReplicaCount?: number;
  } & Partial<PodSpec>;
}

/** By the values files in the chart's folder `ci`. */
export async function render(helm: string, values: string, ...more: string[]): Promise<string> {
  const file = join(CHART, 'ci', `${values}-values.yaml`);
  return run(helm, ['template', 'rel', CHART, '--namespace', NAMESPACE, '-f', file, ...more]);
}

export function objectsOf(text: string): Rendered[] {
  return parseAllDocuments(text)
    .map((document): Rendered | null => document.toJS())
    .filter((object) => object !== null);
}

/** Pod templates of Deployments, StatefulSets, Jobs, CronJobs, and pods. */
export function podsOf(objects: Rendered[]): { name: string; labels: Labels; spec: PodSpec }[] {
  return objects.flatMap(({ kind, metadata, spec }) => {
    const template = spec?.template ?? spec?.jobTemplate?.spec.template;
    if (template !== undefined)
      return [{ name: metadata.name, labels: template.metadata.labels, spec: template.spec }];
    const { containers } = spec ?? {};
    if (kind !== 'Pod' || containers === undefined) return [];
    return [{ name: metadata.name, labels: metadata.labels ?? {}, spec: { ...spec, containers } }];
  });
}

export function containersOf({ containers, initContainers = [] }: PodSpec): Container[] {
  return [...initContainers, ...containers];
}

export function matches(
  { matchLabels = {}, matchExpressions = [] }: Selector,
  labels: Labels,
): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ''))
  );
}

/**
 * Whether network policies allow a connection between two pods of a namespace: a pod that is
 * selected by a policy of a direction may do what any of them allows, other pods everything. An IP
 * block counts as any pod, as in some network plug-ins.
 */
export function mayConnect(objects: Rendered[], from: Labels, to: Labels, port: number): boolean {
  const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy').map(({ spec }) => spec);
  const allowed = (way: 'Ingress' | 'Egress', subject: Labels, peer: Labels) => {
    const mine = policies.filter(
      ({ podSelector, policyTypes }) =>
        policyTypes?.includes(way) && matches(podSelector ?? {}, subject),
    );
    const rules = mine.flatMap(
      ({ ingress, egress }) => (way === 'Ingress' ? ingress : egress) ?? [],
    );
    return mine.length === 0 || rules.some((rule) => admits(rule, peer, port));
  };
  return allowed('Egress', from, to) && allowed('Ingress', to, from);
}

function admits({ ports, from, to }: Rule, peer: Labels, port: number): boolean {
  const peers = from ?? to;
  const onPort = ports === undefined || ports.some((each) => each.port === port);
  return onPort && (peers === undefined || peers.some((each) => isPod(each, peer)));
}

function isPod({ podSelector, namespaceSelector, ipBlock }: Peer, labels: Labels): boolean {
  if (ipBlock !== undefined) return true;
  return (
    podSelector !== undefined && namespaceSelector === undefined && matches(podSelector, labels)
  );
}
