/**
 * Rendered objects, as far as the runner supports Kubernetes: a field that it neither implements
 * nor ignores for a stated reason is an error, so that nothing in the chart is overlooked.
 */
import { parseAllDocuments } from 'yaml';

export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: Metadata;
  type?: string;
  data?: Record<string, string>;
  spec?: unknown;
  automountServiceAccountToken?: boolean;
}

interface Metadata {
  name: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}

export interface PodTemplate {
  metadata: Omit<Metadata, 'name'>;
  spec: PodSpec;
}

export interface PodSpec {
  restartPolicy?: 'Always' | 'Never';
  serviceAccountName: string;
  automountServiceAccountToken: false;
  terminationGracePeriodSeconds?: number;
  securityContext: PodSecurity;
  containers: Container[];
  volumes?: Volume[];
}

/** Placement and image pull secrets: there is one machine, and the images are on it. */
const OF_THE_SCHEDULER = [
  ...['nodeSelector', 'tolerations', 'affinity', 'topologySpreadConstraints', 'priorityClassName'],
  // No environment variables of services are set anyway.
  ...['imagePullSecrets', 'enableServiceLinks'],
];

interface PodSecurity {
  runAsNonRoot: true;
  runAsUser: number;
  runAsGroup: number;
  fsGroup?: number;
  fsGroupChangePolicy?: 'OnRootMismatch';
  seccompProfile: { type: 'RuntimeDefault' };
}

export interface Container {
  name: string;
  image: string;
  imagePullPolicy?: string;
  command?: string[];
  args?: string[];
  env?: EnvVariable[];
  ports?: { name: string; containerPort: number }[];
  securityContext: ContainerSecurity;
  resources?: { requests?: object; limits?: { memory?: string } };
  volumeMounts?: VolumeMount[];
  lifecycle?: { preStop?: { exec: { command: string[] } } };
  startupProbe?: Probe;
  readinessProbe?: Probe;
  livenessProbe?: Probe;
}

interface EnvVariable {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef: { name: string; key: string } };
}

interface ContainerSecurity {
  allowPrivilegeEscalation: false;
  readOnlyRootFilesystem: true;
  runAsNonRoot: true;
  capabilities: { drop: ['ALL'] };
}

interface VolumeMount {
  name: string;
  mountPath: string;
  subPath?: string;
  readOnly?: boolean;
}

export interface Probe {
  exec?: { command: string[] };
  httpGet?: { path: string; port: string | number };
  periodSeconds?: number;
  timeoutSeconds?: number;
  failureThreshold?: number;
}

export interface Volume {
  name: string;
  emptyDir?: { sizeLimit?: string };
  persistentVolumeClaim?: { claimName: string };
  configMap?: { name: string };
  projected?: { defaultMode: number; sources: { secret: ProjectedSecret }[] };
  secret?: { secretName: string; defaultMode: number; items: ProjectedSecret['items'] };
  ephemeral?: { volumeClaimTemplate: object };
}

export interface ProjectedSecret {
  name: string;
  items: { key: string; path: string }[];
}

export interface Service {
  selector: Record<string, string>;
  ports: { name: string; port: number; targetPort: string | number }[];
  type?: string;
  clusterIP?: 'None';
  publishNotReadyAddresses?: boolean;
}

/** For a StatefulSet, whose pods have a claim each. */
export interface ClaimTemplate {
  metadata: Metadata;
  spec: object;
}

export function parseManifests(text: string): KubeObject[] {
  return parseAllDocuments(text)
    .map((document): KubeObject | null => document.toJS())
    .filter((object) => object !== null);
}

/** @throws for a field that is not in `keys` */
export function only<T>(value: unknown, keys: readonly (keyof T & string)[], where: string): T {
  if (!isRecord(value)) throw new Error(`${where} is missing`);
  const known: readonly string[] = keys;
  const unknown = Object.keys(value).filter((key) => !known.includes(key));
  if (unknown.length > 0)
    throw new Error(`the runner does not know ${unknown.join(', ')} of ${where}`);
  return value as T;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** @throws where the pod has a setting that the runner does not implement */
export function podSpecOf(value: unknown, where: string): PodSpec {
  const placed = isRecord(value) ? Object.entries(value) : [];
  const own = Object.fromEntries(placed.filter(([key]) => !OF_THE_SCHEDULER.includes(key)));
  const spec = only<PodSpec>(
    own,
    [
      ...(['restartPolicy', 'serviceAccountName', 'automountServiceAccountToken'] as const),
      ...(['terminationGracePeriodSeconds', 'securityContext', 'containers', 'volumes'] as const),
    ],
    where,
  );
  only<PodSecurity>(
    spec.securityContext,
    [
      ...(['runAsNonRoot', 'runAsUser', 'runAsGroup', 'fsGroup'] as const),
      ...(['fsGroupChangePolicy', 'seccompProfile'] as const),
    ],
    `${where}, its security context`,
  );
  if (spec.automountServiceAccountToken !== false)
    throw new Error(`${where} mounts an account's token`);
  for (const container of spec.containers) assertKnown(container, `${where}/${container.name}`);
  for (const volume of spec.volumes ?? [])
    only<Volume>(
      volume,
      [
        'name',
        'emptyDir',
        'persistentVolumeClaim',
        'configMap',
        'projected',
        'secret',
        'ephemeral',
      ],
      `${where}, its volume ${volume.name}`,
    );
  return spec;
}

const PROBE = ['exec', 'httpGet', 'periodSeconds', 'timeoutSeconds', 'failureThreshold'] as const;

function assertKnown(container: Container, where: string): void {
  only<Container>(
    container,
    [
      ...([
        'name',
        'image',
        'imagePullPolicy',
        'command',
        'args',
        'env',
        'ports',
        'resources',
      ] as const),
      ...(['securityContext', 'volumeMounts', 'lifecycle'] as const),
      ...(['startupProbe', 'readinessProbe', 'livenessProbe'] as const),
    ],
    where,
  );
  only<ContainerSecurity>(
    container.securityContext,
    ['allowPrivilegeEscalation', 'readOnlyRootFilesystem', 'runAsNonRoot', 'capabilities'],
    `${where}, its security context`,
  );
  for (const mount of container.volumeMounts ?? [])
    only<VolumeMount>(
      mount,
      ['name', 'mountPath', 'subPath', 'readOnly'],
      `${where}, its mount ${mount.name}`,
    );
  for (const variable of container.env ?? [])
    only<EnvVariable>(
      variable,
      ['name', 'value', 'valueFrom'],
      `${where}, its variable ${variable.name}`,
    );
  for (const probe of [container.startupProbe, container.readinessProbe, container.livenessProbe])
    if (probe !== undefined) only<Probe>(probe, PROBE, `${where}, a probe`);
  if (container.lifecycle)
    only<object & { preStop: unknown }>(container.lifecycle, ['preStop'], where);
}

export function decoded({ data = {} }: KubeObject): Record<string, string> {
  const entries = Object.entries(data).map(([key, value]) => [
    key,
    Buffer.from(value, 'base64').toString(),
  ]);
  return Object.fromEntries(entries);
}
