/**
 * A minimal cluster for the chart's objects on this machine: hooks in order, rolling updates by
 * readiness, jobs, and services. Not included: scheduling, network policies, disruption budgets and
 * autoscaling.
 */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Ended } from './container.ts';
import {
  type ClaimTemplate,
  type KubeObject,
  only,
  type PodTemplate,
  podSpecOf,
  type Service,
} from './manifest.ts';
import { type Network, openNetwork } from './network.ts';
import { type Pod, startPod } from './pod.ts';
import { openWorkloads, WORKLOADS } from './workloads.ts';

/** Kinds for other controllers, which are not emulated. */
const NOT_RUN = [
  ...['NetworkPolicy', 'PodDisruptionBudget', 'HorizontalPodAutoscaler', 'Ingress', 'CronJob'],
  ...['ServiceMonitor', 'PodMonitor', 'PrometheusRule', 'ScaledObject'],
];
const STORED = ['Secret', 'ConfigMap', 'ServiceAccount', 'PersistentVolumeClaim', 'Service'];

export interface Cluster {
  network: Network;
  /** Applies an object, as `kubectl create secret generic` and `kubectl apply` do. */
  createSecret(name: string, values: Record<string, string>): void;
  secret(name: string): Record<string, string> | undefined;
  /** Applies the chart, as `helm install` and `helm upgrade` do. */
  apply(objects: readonly KubeObject[], event: 'install' | 'upgrade'): Promise<void>;
  /** Runs the chart's tests, as `helm test` does; its pods must exit with 0. */
  test(objects: readonly KubeObject[]): Promise<string>;
  /** The logs of a successful job. `begun` receives each of its pods. */
  runJob(job: KubeObject, begun?: (pod: Pod) => void): Promise<string>;
  /** Runs a job, as `kubectl create job --from=cronjob/…` does. */
  runCronJob(cronJob: KubeObject): Promise<string>;
  /** Scales all workloads; `null`: to the rendered number of replicas. */
  scale(replicas: number | null): Promise<void>;
  /** Simulates the loss of a StatefulSet pod's node with its disk. */
  loseNode(pod: Pod): Promise<void>;
  pods(component?: string): Pod[];
  addressOf(service: string): string;
  folderOf(claim: string): string;
  faults(): string[];
  stop(): Promise<string>;
}

export async function openCluster(name: string, dir: string): Promise<Cluster> {
  const network = await openNetwork(name);
  const store = new Map<string, KubeObject>();
  const addresses = new Map<string, string>();
  const singles = new Set<Pod>();
  const logs: string[] = [];
  const faults: string[] = [];
  let started = 0;
  const workloads = openWorkloads({ start, stop: stopPod, claim, deleteClaim });
  await mkdir(path.join(dir, 'claims'));
  await mkdir(path.join(dir, 'pods'));

  function object(kind: string, wanted: string): KubeObject {
    const found = store.get(`${kind}/${wanted}`);
    if (found === undefined) throw new Error(`there is no ${kind} ${wanted}`);
    return found;
  }

  function folderOf(claim: string): string {
    return path.join(dir, 'claims', object('PersistentVolumeClaim', claim).metadata.name);
  }

  function start(owner: string, template: PodTemplate, ordinal?: number): Promise<Pod> {
    const hosts = () => [...addresses].map(([service, ip]) => ({ name: service, ip }));
    const context = { dir: path.join(dir, 'pods'), network, hosts, object, claim: folderOf };
    const unique = `${name}-${owner}-${++started}`;
    const hostname = ordinal === undefined ? unique : `${owner}-${ordinal}`;
    return startPod({ name: unique, hostname }, template, context);
  }

  function settle(pod: Pod, { code, logs: text }: Ended): void {
    logs.push(`${text}\n${pod.name} ended with code ${code}`);
    faults.push(...pod.faults());
  }

  async function runPod(
    owner: string,
    template: PodTemplate,
    begun?: (pod: Pod) => void,
  ): Promise<Ended> {
    const pod = await start(owner, { ...template, spec: podSpecOf(template.spec, owner) });
    singles.add(pod);
    begun?.(pod);
    const ended = await pod.ended();
    singles.delete(pod);
    settle(pod, ended);
    return ended;
  }

  async function runJob(job: KubeObject, begun?: (pod: Pod) => void): Promise<string> {
    const { backoffLimit, template } = jobOf(job.spec, job.metadata.name);
    for (let tries = 0; ; tries++) {
      const ended = await runPod(job.metadata.name, template, begun);
      if (ended.code === 0) return ended.logs;
      if (tries >= backoffLimit)
        throw new Error(`${job.metadata.name} ended with code ${ended.code}:\n${ended.logs}`);
    }
  }

  async function create(each: KubeObject): Promise<void> {
    const { kind, metadata } = each;
    if (kind === 'Job') return void (await runJob(each));
    if (NOT_RUN.includes(kind)) return;
    if (!STORED.includes(kind)) throw new Error(`the runner does not know the kind ${kind}`);
    store.set(`${kind}/${metadata.name}`, each);
    if (kind === 'PersistentVolumeClaim') await mkdir(folderOf(metadata.name), { recursive: true });
    if (kind === 'Service') await serve(metadata.name, each.spec);
  }

  async function serve(service: string, value: unknown): Promise<void> {
    const spec = only<Service>(
      value,
      ['selector', 'ports', 'type', 'clusterIP', 'publishNotReadyAddresses'],
      service,
    );
    if (spec.clusterIP === 'None' || addresses.has(service)) return;
    const host = await network.addAddress();
    addresses.set(service, host);
    let turn = 0;
    for (const { port, targetPort } of spec.ports)
      await network.serve({ host, port }, () => {
        const { selector, publishNotReadyAddresses: all = false } = spec;
        const able = pods().filter((each) => (all || each.ready()) && selects(selector, each));
        const pod = able[turn++ % able.length];
        return pod && { host: pod.ip, port: pod.portOf(targetPort) };
      });
  }

  async function claim(wanted: string, { metadata, spec }: ClaimTemplate): Promise<void> {
    if (store.has(`PersistentVolumeClaim/${wanted}`)) return;
    const kind = 'PersistentVolumeClaim';
    await create({ apiVersion: 'v1', kind, metadata: { ...metadata, name: wanted }, spec });
  }

  async function deleteClaim(wanted: string): Promise<void> {
    await rm(folderOf(wanted), { recursive: true });
    store.delete(`PersistentVolumeClaim/${wanted}`);
  }

  async function stopPod(pod: Pod): Promise<void> {
    settle(pod, await pod.stop());
  }

  async function apply(
    objects: readonly KubeObject[],
    event: 'install' | 'upgrade',
  ): Promise<void> {
    const hooks = hooksOf(objects, `pre-${event}`);
    for (const hook of hooks) await create(hook);
    for (const { kind, metadata } of hooks)
      if (metadata.annotations?.['helm.sh/hook-delete-policy']?.includes('hook-succeeded'))
        store.delete(`${kind}/${metadata.name}`);
    const own = objects.filter(
      ({ metadata }) => metadata.annotations?.['helm.sh/hook'] === undefined,
    );
    for (const each of own.filter(({ kind }) => !WORKLOADS.includes(kind))) await create(each);
    await Promise.all(own.filter(({ kind }) => WORKLOADS.includes(kind)).map(workloads.apply));
  }

  async function test(objects: readonly KubeObject[]): Promise<string> {
    const tests = hooksOf(objects, 'test');
    if (tests.length === 0) throw new Error('the chart has no test');
    const outputs: string[] = [];
    for (const { metadata, spec } of tests) {
      const { code, logs: text } = await runPod(metadata.name, {
        metadata,
        spec: podSpecOf(spec, 'test'),
      });
      if (code !== 0) throw new Error(`${metadata.name} ended with code ${code}:\n${text}`);
      outputs.push(text);
    }
    return outputs.join('\n');
  }

  function pods(component?: string): Pod[] {
    const found = [...workloads.pods(), ...singles];
    if (component === undefined) return found;
    return found.filter(({ labels }) => labels['app.kubernetes.io/component'] === component);
  }

  async function stop(): Promise<string> {
    await Promise.all([workloads.scale(0), ...[...singles].map(stopPod)]);
    await network.stop();
    return logs.join('\n');
  }

  return {
    ...{ network, apply, test, runJob, pods, folderOf, stop },
    ...{ scale: workloads.scale, loseNode: workloads.loseNode },
    createSecret: (secret, values) =>
      void store.set(`Secret/${secret}`, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: secret },
        data: Object.fromEntries(
          Object.entries(values).map(([key, value]) => [key, encoded(value)]),
        ),
      }),
    secret: (secret) => store.get(`Secret/${secret}`)?.data,
    runCronJob: ({ metadata, spec }) => runJob({ ...cronJobOf(spec, metadata.name), metadata }),
    addressOf: (service) => addresses.get(service) ?? '',
    faults: () => [...faults, ...pods().flatMap((pod) => pod.faults())],
  };
}

function encoded(value: string): string {
  return Buffer.from(value).toString('base64');
}

function selects(selector: Record<string, string>, { labels }: Pod): boolean {
  return Object.entries(selector).every(([key, value]) => labels[key] === value);
}

function hooksOf(objects: readonly KubeObject[], event: string): KubeObject[] {
  const weight = ({ metadata }: KubeObject) =>
    Number(metadata.annotations?.['helm.sh/hook-weight'] ?? 0);
  return objects
    .filter(({ metadata }) => metadata.annotations?.['helm.sh/hook']?.split(',').includes(event))
    .sort((one, other) => weight(one) - weight(other));
}

interface JobSpec {
  backoffLimit: number;
  activeDeadlineSeconds?: number;
  template: PodTemplate;
}

function jobOf(value: unknown, where: string): JobSpec {
  const spec = only<JobSpec>(value, ['backoffLimit', 'activeDeadlineSeconds', 'template'], where);
  if (spec.template.spec.restartPolicy !== 'Never')
    throw new Error(`${where} restarts its container`);
  return spec;
}

function cronJobOf(value: unknown, where: string): KubeObject {
  const spec = only<{ schedule: string; jobTemplate: { spec: unknown } }>(
    value,
    [
      ...(['schedule', 'jobTemplate'] as const),
      // Its schedule is the cluster's part.
      ...(['timeZone', 'suspend', 'concurrencyPolicy', 'startingDeadlineSeconds'] as never[]),
      ...(['successfulJobsHistoryLimit', 'failedJobsHistoryLimit'] as never[]),
    ],
    where,
  );
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: where },
    spec: spec.jobTemplate.spec,
  };
}
