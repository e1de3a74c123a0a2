/**
 * Runs one pod as the kubelet would: its volumes, a network that its containers share, and its
 * termination.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { eventually } from '@portcullis/testing';
import { type Ended, type RunningContainer, runContainer } from './container.ts';
import type { Container, KubeObject, PodTemplate } from './manifest.ts';
import { decoded } from './manifest.ts';
import type { Network } from './network.ts';
import { podmanRun } from './podman-arguments.ts';
import { createVolumes } from './volumes.ts';

export interface PodContext {
  /** Contains a directory for each pod. */
  dir: string;
  network: Network;
  hosts(): { name: string; ip: string }[];
  object(kind: string, name: string): KubeObject;
  claim(name: string): string;
}

export interface Pod {
  name: string;
  labels: Record<string, string>;
  ip: string;
  ready(): boolean;
  /** Errors that occurred before a stop. */
  faults(): readonly string[];
  portOf(name: string | number): number;
  /** The directory of a volume on this machine. */
  folderOf(volume: string): string;
  /** Resolves when it is ready. @throws where it ends or does not start within its startup probe */
  started(): Promise<void>;
  /** Resolves when it has ended by itself. */
  ended(): Promise<Ended>;
  /** Kills it, as when a node dies. */
  kill(): Promise<void>;
  stop(): Promise<Ended>;
}

export interface PodName {
  /** Unique on this machine. */
  name: string;
  /** The name that the pod itself sees. */
  hostname: string;
}

const DEFAULT_GRACE = 30;

export async function startPod(
  { name, hostname }: PodName,
  template: PodTemplate,
  context: PodContext,
): Promise<Pod> {
  const { spec, metadata } = template;
  context.object('ServiceAccount', spec.serviceAccountName);
  const dir = path.join(context.dir, name);
  await mkdir(dir);
  const folders = await createVolumes(spec, { ...context, dir });
  const place = await context.network.addPod(name);
  const containers: RunningContainer[] = [];
  for (const container of spec.containers) {
    const own = { name: `${name}-${container.name}`, ip: place.ip, portOf };
    const around = {
      name: own.name,
      hostname,
      network: place.file,
      hosts: context.hosts(),
      folders,
    };
    const secretEnv = secretEnvOf(container, context);
    const run = podmanRun(spec, container, { ...around, secretEnv });
    containers.push(await runContainer(container, run, own));
  }

  function portOf(port: string | number): number {
    const ports = spec.containers.flatMap((container) => container.ports ?? []);
    const found = ports.find((each) => each.name === port)?.containerPort ?? port;
    if (typeof found === 'string') throw new Error(`${name} has no port ${found}`);
    return found;
  }

  function folderOf(volume: string): string {
    const found = folders.get(volume);
    if (found === undefined) throw new Error(`${name} has no volume ${volume}`);
    return found;
  }

  async function ended(): Promise<Ended> {
    // A pod may run for as long as the test needs it.
    const waiting = { patienceMs: Number.POSITIVE_INFINITY, intervalMs: 200 };
    for (const container of containers) await eventually(container.hasEnded, Boolean, waiting);
    return leave();
  }

  async function leave(): Promise<Ended> {
    const all: Ended[] = [];
    for (const container of containers) all.push(await container.remove());
    await place.remove();
    const logs = all.map((each) => each.logs).join('\n');
    return { code: Math.max(...all.map(({ code }) => code)), logs };
  }

  async function stop(): Promise<Ended> {
    const grace = spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE;
    await Promise.all(containers.map((container) => container.end(grace)));
    return leave();
  }

  return {
    ...{ name, labels: metadata.labels ?? {}, ip: place.ip, portOf, folderOf, ended, stop },
    ready: () => containers.every((container) => container.ready()),
    faults: () => containers.flatMap((container) => container.faults()),
    started: async () =>
      void (await Promise.all(containers.map((container) => container.started()))),
    kill: async () => void (await Promise.all(containers.map((container) => container.kill()))),
  };
}

function secretEnvOf({ env = [] }: Container, { object }: PodContext): Map<string, string> {
  const found = env.flatMap(({ name, valueFrom }) => {
    if (valueFrom === undefined) return [];
    const { name: secret, key } = valueFrom.secretKeyRef;
    return [[name, decoded(object('Secret', secret))[key] ?? ''] as const];
  });
  return new Map(found);
}
