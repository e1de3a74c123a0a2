/** One pod as the kubelet would run it: volumes, container, probes, an end with `preStop` and grace. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from '@portcullis/embedded';
import { podmanTool } from '../containers/engine.ts';
import type { Container, KubeObject, PodTemplate, Probe } from './manifest.ts';
import { decoded } from './manifest.ts';
import type { Network, PodNetwork } from './network.ts';
import { podmanRun } from './podman-arguments.ts';
import { layVolumes } from './volumes.ts';

export interface PodContext {
  /** Holds a folder for each pod. */
  dir: string;
  network: Network;
  hosts(): { name: string; ip: string }[];
  object(kind: string, name: string): KubeObject;
  claim(name: string): string;
}

export interface Ended {
  code: number;
  logs: string;
}

export interface Pod {
  name: string;
  labels: Record<string, string>;
  ip: string;
  ready(): boolean;
  /** What went wrong though nobody stopped it. */
  faults(): readonly string[];
  portOf(name: string | number): number;
  /** Until it is ready. @throws where it ends or does not start within its startup probe */
  started(): Promise<void>;
  /** Until it ends by itself. */
  ended(): Promise<Ended>;
  /** Ends it as a node that dies would. */
  kill(): Promise<void>;
  stop(): Promise<Ended>;
}

const DEFAULT_GRACE = 30;

export async function startPod(
  name: string,
  template: PodTemplate,
  context: PodContext,
): Promise<Pod> {
  const { spec } = template;
  const [container, ...others] = spec.containers;
  if (container === undefined || others.length > 0)
    throw new Error(`${name} has not one container`);
  context.object('ServiceAccount', spec.serviceAccountName);
  const dir = path.join(context.dir, name);
  await mkdir(dir);
  const folders = await layVolumes(spec, { ...context, dir });
  const place = await context.network.addPod(name);
  const around = { name, network: place.file, hosts: context.hosts(), folders };
  const { args, env } = podmanRun(spec, container, {
    ...around,
    secretEnv: secretEnvOf(container, context),
  });
  await podmanWith(env, ...args);
  return supervise({ name, template, container, place });
}

function secretEnvOf({ env = [] }: Container, { object }: PodContext): Map<string, string> {
  const found = env.flatMap(({ name, valueFrom }) => {
    if (valueFrom === undefined) return [];
    const { name: secret, key } = valueFrom.secretKeyRef;
    return [[name, decoded(object('Secret', secret))[key] ?? ''] as const];
  });
  return new Map(found);
}

interface Supervised {
  name: string;
  template: PodTemplate;
  container: Container;
  place: PodNetwork;
}

function supervise({ name, template, container, place }: Supervised): Pod {
  const stopping = new AbortController();
  const faults: string[] = [];
  let isReady = false;
  let watching: Promise<unknown> = Promise.resolve();

  function portOf(port: string | number): number {
    const found = container.ports?.find((each) => each.name === port)?.containerPort ?? port;
    if (typeof found === 'string') throw new Error(`${name} has no port ${found}`);
    return found;
  }

  function passes(probe: Probe): Promise<boolean> {
    const { exec, httpGet, timeoutSeconds = 1 } = probe;
    // Busy machines start programs slowly: what a cluster would call late is only slow here.
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(timeoutSeconds * 10_000)]);
    if (httpGet === undefined)
      return succeeds(podmanWith({}, 'exec', name, ...(exec?.command ?? [])));
    const url = `http://${place.ip}:${portOf(httpGet.port)}${httpGet.path}`;
    return fetch(url, { signal }).then(
      async (answer) => {
        await answer.body?.cancel();
        return answer.ok;
      },
      () => false,
    );
  }

  /** Follows a probe until the pod is stopped. */
  async function follow(
    probe: Probe,
    tell: (passed: boolean, failures: number) => void,
  ): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted; ) {
      const passed = await passes(probe);
      failures = passed ? 0 : failures + 1;
      if (!stopping.signal.aborted) tell(passed, failures);
      await pause(probe);
    }
  }

  function pause({ periodSeconds = 10 }: Probe): Promise<void> {
    return sleep(periodSeconds * 1000, undefined, { signal: stopping.signal }).catch(() => {});
  }

  async function started(): Promise<void> {
    const { startupProbe, readinessProbe, livenessProbe } = container;
    if (startupProbe) await startedUp(startupProbe);
    const { failureThreshold: forgiven = 3 } = readinessProbe ?? {};
    if (readinessProbe === undefined) isReady = true;
    watching = Promise.all([
      readinessProbe &&
        follow(readinessProbe, (passed, failures) => {
          isReady = passed || (isReady && failures < forgiven);
        }),
      livenessProbe &&
        follow(livenessProbe, (_, failures) => {
          if (failures >= (livenessProbe.failureThreshold ?? 3))
            faults.push(`${name} is not alive`);
        }),
    ]);
    const deadline = Date.now() + 180_000;
    while (!isReady) {
      if (Date.now() > deadline)
        throw new Error(`${name} does not become ready:\n${await logsOf(name)}`);
      await sleep(200);
    }
  }

  async function startedUp(probe: Probe): Promise<void> {
    for (let failures = 0; !(await passes(probe)); failures++) {
      if ((await hasEnded(name)) || failures >= (probe.failureThreshold ?? 3))
        throw new Error(`${name} does not start:\n${await logsOf(name)}`);
      await pause(probe);
    }
  }

  async function ended(): Promise<Ended> {
    while (!(await hasEnded(name))) await sleep(200);
    return leave();
  }

  async function leave(): Promise<Ended> {
    stopping.abort();
    await watching;
    const { code } = await stateOf(name);
    const logs = await logsOf(name);
    await podmanWith({}, 'rm', '--force', '--volumes', name);
    await place.remove();
    return { code, logs };
  }

  async function stop(): Promise<Ended> {
    isReady = false; // an ending pod is taken out of its services first
    stopping.abort();
    await watching;
    if (await hasEnded(name)) faults.push(`${name} had ended by itself`);
    const { preStop } = container.lifecycle ?? {};
    if (preStop && !(await succeeds(podmanWith({}, 'exec', name, ...preStop.exec.command))))
      faults.push(`${name} could not run its preStop`);
    const grace = template.spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE;
    await podmanWith({}, 'stop', '--time', String(grace), name);
    return leave();
  }

  async function kill(): Promise<void> {
    await podmanWith({}, 'kill', '--signal', 'KILL', name);
  }

  return {
    ...{ name, labels: template.metadata.labels ?? {}, ip: place.ip, ready: () => isReady },
    ...{ faults: () => faults, portOf, started, ended, kill, stop },
  };
}

async function stateOf(name: string): Promise<{ status: string; code: number }> {
  const format = '{{.State.Status}} {{.State.ExitCode}}';
  const [status = '', code] = (await podmanWith({}, 'inspect', '--format', format, name))
    .trim()
    .split(' ');
  return { status, code: Number(code) };
}

async function hasEnded(name: string): Promise<boolean> {
  return ['exited', 'stopped'].includes((await stateOf(name)).status);
}

/** What it wrote to standard output, and after that what it wrote to standard error. */
async function logsOf(name: string): Promise<string> {
  const { command, args, env } = await podmanTool();
  return run('sh', ['-c', 'exec "$@" 2>&1', 'sh', command, ...args, 'logs', name], { env });
}

export async function podmanWith(
  added: Record<string, string>,
  ...words: string[]
): Promise<string> {
  const { command, args, env } = await podmanTool();
  return run(command, [...args, ...words], { env: { ...env, ...added } });
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
