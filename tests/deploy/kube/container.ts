/**
 * Runs one container of a pod as the kubelet would: started as rendered, checked by its probes,
 * stopped with `preStop`.
 */
import { run } from '@portcullis/embedded';
import { eventually, pace, slowness } from '@portcullis/testing';
import { podmanTool } from '../containers/engine.ts';
import type { Container, Probe } from './manifest.ts';
import type { PodmanRun } from './podman-arguments.ts';

export interface RunningContainer {
  ready(): boolean;
  /** Errors that occurred before a stop. */
  faults(): readonly string[];
  /** Resolves when it is ready. @throws where it ends or does not start within its startup probe */
  started(): Promise<void>;
  hasEnded(): Promise<boolean>;
  /** Kills it, as when a node dies. */
  kill(): Promise<void>;
  /** Runs `preStop`, then sends SIGTERM, and SIGKILL after `grace` seconds. */
  end(grace: number): Promise<void>;
  remove(): Promise<Ended>;
}

export interface Ended {
  code: number;
  logs: string;
}

/** The network of the pod, at which probes reach the container. */
export interface PodAddress {
  name: string;
  ip: string;
  portOf(name: string | number): number;
}

const STARTED_WITHIN_MS = 180_000;
/**
 * How long services still send to a terminating pod: a cluster updates its endpoints with a delay.
 */
const LEARNED_AFTER_MS = 2_000;
/** The time that the kubelet still grants when `preStop` used up the grace period. */
const LEAST_GRACE = 2;

export async function runContainer(
  container: Container,
  { args, env }: PodmanRun,
  place: PodAddress,
): Promise<RunningContainer> {
  const { name } = place;
  await podmanWith(env, ...args);
  const stopping = new AbortController();
  const faults: string[] = [];
  let isReady = false;
  let wasKilled = false;
  let watching: Promise<unknown> = Promise.resolve();

  function passes(probe: Probe): Promise<boolean> {
    const { exec, httpGet, timeoutSeconds = 1 } = probe;
    // Busy machines start programs slowly, so time limits are more generous than in a cluster.
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(timeoutSeconds * 10_000)]);
    if (httpGet === undefined)
      return succeeds(podmanWith({}, 'exec', name, ...(exec?.command ?? [])));
    const url = `http://${place.ip}:${place.portOf(httpGet.port)}${httpGet.path}`;
    return fetch(url, { signal }).then(
      async (answer) => {
        await answer.body?.cancel();
        return answer.ok;
      },
      () => false,
    );
  }

  /** Runs a probe until the container is stopped. */
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
    return pace(periodSeconds * 1000, stopping.signal);
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
    const waiting = { patienceMs: STARTED_WITHIN_MS, intervalMs: 200 };
    await eventually(() => isReady, Boolean, waiting).catch(async (cause: unknown) => {
      throw new Error(`${name} does not become ready:\n${await logsOf(name)}`, { cause });
    });
  }

  async function startedUp(probe: Probe): Promise<void> {
    for (let failures = 0; !(await passes(probe)); failures++) {
      if ((await hasEnded()) || failures >= (probe.failureThreshold ?? 3))
        throw new Error(`${name} does not start:\n${await logsOf(name)}`);
      await pause(probe);
    }
  }

  async function hasEnded(): Promise<boolean> {
    return ['exited', 'stopped'].includes((await stateOf(name)).status);
  }

  async function end(grace: number): Promise<void> {
    await stopProbes();
    if (wasKilled) return;
    const learned = slowness(LEARNED_AFTER_MS).then(() => {
      isReady = false;
    });
    if (await hasEnded()) faults.push(`${name} had ended by itself`);
    const from = Date.now();
    const { preStop } = container.lifecycle ?? {};
    if (preStop && !(await succeeds(podmanWith({}, 'exec', name, ...preStop.exec.command))))
      faults.push(`${name} could not run its preStop`);
    const left = Math.max(LEAST_GRACE, grace - Math.ceil((Date.now() - from) / 1000));
    await podmanWith({}, 'stop', '--time', String(left), name);
    await learned;
  }

  async function stopProbes(): Promise<void> {
    stopping.abort();
    await watching;
  }

  async function kill(): Promise<void> {
    wasKilled = true;
    isReady = false;
    await stopProbes();
    await podmanWith({}, 'kill', '--signal', 'KILL', name);
  }

  async function remove(): Promise<Ended> {
    isReady = false;
    await stopProbes();
    const { code } = await stateOf(name);
    const logs = await logsOf(name);
    await podmanWith({}, 'rm', '--force', '--volumes', name);
    return { code, logs };
  }

  return { ready: () => isReady, faults: () => faults, started, hasEnded, kill, end, remove };
}

async function stateOf(name: string): Promise<{ status: string; code: number }> {
  const format = '{{.State.Status}} {{.State.ExitCode}}';
  const [status = '', code] = (await podmanWith({}, 'inspect', '--format', format, name))
    .trim()
    .split(' ');
  return { status, code: Number(code) };
}

/** Its standard output, followed by its standard error. */
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
