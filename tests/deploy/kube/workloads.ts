/** Deployments and StatefulSets: scaling, and rolling updates after a changed template. */
import { createHash } from 'node:crypto';
import {
  type ClaimTemplate,
  type KubeObject,
  only,
  type PodTemplate,
  podSpecOf,
} from './manifest.ts';
import type { Pod } from './pod.ts';

export interface Workloads {
  /** Applies one object. Resolves when the desired pods are ready. */
  apply(object: KubeObject): Promise<void>;
  /** Scales all; `null`: to the rendered number of replicas. */
  scale(replicas: number | null): Promise<void>;
  /**
   * Simulates the loss of a pod's node with its disk: the claims of a StatefulSet's pod are
   * deleted, and a new pod replaces the lost one.
   */
  loseNode(pod: Pod): Promise<void>;
  pods(): Pod[];
}

export interface PodKeeper {
  start(owner: string, template: PodTemplate, ordinal?: number): Promise<Pod>;
  stop(pod: Pod): Promise<void>;
  /** Creates the claim where it does not exist. */
  claim(name: string, template: ClaimTemplate): Promise<void>;
  /** Deletes the claim with its content. */
  deleteClaim(name: string): Promise<void>;
}

/**
 * `rolling`: a new pod first. `recreate`: all old pods end first. `stateful`: one ordinal after the
 * other, from the last.
 */
type Strategy = 'rolling' | 'recreate' | 'stateful';

interface Workload {
  owner: string;
  replicas: number;
  template: PodTemplate;
  strategy: Strategy;
  claims: ClaimTemplate[];
  hash: string;
  /** For a StatefulSet: in the order of their ordinals. */
  running: Pod[];
}

export const WORKLOADS = ['Deployment', 'StatefulSet'];

export function openWorkloads(keeper: PodKeeper): Workloads {
  const workloads = new Map<string, Workload>();
  /** Old pods, which run until their replacement is ready. */
  const leaving = new Set<Pod>();

  async function leave(pods: readonly Pod[]): Promise<void> {
    for (const pod of pods) leaving.add(pod);
    await Promise.all(
      pods.map(async (pod) => {
        await keeper.stop(pod);
        leaving.delete(pod);
      }),
    );
  }

  async function start(workload: Workload, ordinal: number): Promise<void> {
    const { owner, template, claims, strategy } = workload;
    const isStateful = strategy === 'stateful';
    for (const each of claims) await keeper.claim(claimName(each, owner, ordinal), each);
    const volumes = claims.map((each) => ({
      name: each.metadata.name,
      persistentVolumeClaim: { claimName: claimName(each, owner, ordinal) },
    }));
    const spec = { ...template.spec, volumes: [...(template.spec.volumes ?? []), ...volumes] };
    const pod = await keeper.start(owner, { ...template, spec }, isStateful ? ordinal : undefined);
    workload.running[ordinal] = pod;
    await pod.started();
  }

  async function fill(workload: Workload): Promise<void> {
    const missing = Array.from({ length: workload.replicas }, (_, at) => at).slice(
      workload.running.length,
    );
    if (workload.strategy === 'stateful')
      await Promise.all(missing.map((ordinal) => start(workload, ordinal))); // podManagementPolicy: Parallel
    else for (const ordinal of missing) await start(workload, ordinal);
    await leave(workload.running.splice(workload.replicas));
  }

  const replace: Record<Strategy, (workload: Workload) => Promise<void>> = {
    async rolling(workload) {
      const old = workload.running.splice(0);
      for (const each of old) leaving.add(each);
      while (workload.running.length < workload.replicas) {
        await start(workload, workload.running.length);
        await leave(old.splice(0, 1));
      }
      await leave(old);
    },
    async recreate(workload) {
      await leave(workload.running.splice(0));
    },
    async stateful(workload) {
      for (const [ordinal, old] of [...workload.running.entries()].reverse()) {
        await leave([old]);
        await start(workload, ordinal);
      }
    },
  };

  async function apply(object: KubeObject): Promise<void> {
    const found = workloadOf(object);
    const before = workloads.get(found.owner);
    const workload = { ...found, running: before?.running ?? [] };
    workloads.set(workload.owner, workload);
    if (before !== undefined && before.hash !== workload.hash)
      await replace[workload.strategy](workload);
    await fill(workload);
  }

  async function scale(replicas: number | null): Promise<void> {
    await Promise.all(
      [...workloads.values()].map((each) => fill({ ...each, replicas: replicas ?? each.replicas })),
    );
  }

  async function loseNode(pod: Pod): Promise<void> {
    const workload = [...workloads.values()].find(({ running }) => running.includes(pod));
    if (workload === undefined) throw new Error(`${pod.name} is of no workload`);
    const ordinal = workload.running.indexOf(pod);
    await pod.kill();
    await leave([pod]);
    for (const each of workload.claims)
      await keeper.deleteClaim(claimName(each, workload.owner, ordinal));
    await start(workload, ordinal);
  }

  return {
    ...{ apply, scale, loseNode },
    pods: () => [
      ...new Set([...[...workloads.values()].flatMap(({ running }) => running), ...leaving]),
    ],
  };
}

function claimName({ metadata }: ClaimTemplate, owner: string, ordinal: number): string {
  return `${metadata.name}-${owner}-${ordinal}`;
}

function workloadOf({ kind, metadata, spec }: KubeObject): Omit<Workload, 'running'> {
  const where = metadata.name;
  const given = kind === 'StatefulSet' ? statefulSetOf(spec, where) : deploymentOf(spec, where);
  const { template } = given;
  const hash = createHash('sha256').update(JSON.stringify(template)).digest('hex');
  return {
    ...given,
    owner: where,
    template: { ...template, spec: podSpecOf(template.spec, where) },
    hash,
  };
}

type Given = Pick<Workload, 'replicas' | 'template' | 'strategy' | 'claims'>;

function deploymentOf(value: unknown, where: string): Given {
  const spec = only<{
    replicas?: number;
    /** There is no history. */
    revisionHistoryLimit?: number;
    strategy?: object;
    selector: object;
    template: PodTemplate;
  }>(value, ['replicas', 'revisionHistoryLimit', 'strategy', 'selector', 'template'], where);
  const strategy = strategyOf(spec.strategy, where);
  return { replicas: spec.replicas ?? 1, template: spec.template, strategy, claims: [] };
}

/** With few replicas, Kubernetes' defaults (25 %) mean the same. */
function strategyOf(value: unknown, where: string): Strategy {
  const given = value as
    | { type?: string; rollingUpdate?: { maxUnavailable: number; maxSurge: number } }
    | undefined;
  if (given?.type === 'Recreate') return 'recreate';
  const { maxUnavailable, maxSurge } = given?.rollingUpdate ?? { maxUnavailable: 0, maxSurge: 1 };
  if (maxUnavailable !== 0 || maxSurge !== 1) throw new Error(`${where} rolls over in another way`);
  return 'rolling';
}

interface StatefulSetSpec {
  replicas?: number;
  revisionHistoryLimit?: number;
  serviceName: string;
  podManagementPolicy: string;
  selector: object;
  template: PodTemplate;
  volumeClaimTemplates: ClaimTemplate[];
}

function statefulSetOf(value: unknown, where: string): Given {
  const spec = only<StatefulSetSpec>(
    value,
    [
      ...(['replicas', 'serviceName', 'podManagementPolicy', 'selector'] as const),
      ...(['template', 'volumeClaimTemplates', 'revisionHistoryLimit'] as const),
    ],
    where,
  );
  if (spec.podManagementPolicy !== 'Parallel')
    throw new Error(`${where} starts its pods in another way`);
  const { replicas = 1, template, volumeClaimTemplates: claims } = spec;
  return { replicas, template, strategy: 'stateful', claims };
}
