/** What the tests of a lane build from source, so that no test waits for a compiler. */
import { buildkitPrograms } from './buildkit.ts';
import { conformanceBinary } from './conformance.ts';
import { GO_PROGRAMS, type GoProgram, goProgram } from './go-program.ts';
import { controlPlane } from './kube-apiserver.ts';
import { kubernetesTools } from './kubernetes-tools.ts';
import { registryClients } from './registry-clients.ts';

type BuildTool = (signal: AbortSignal) => Promise<unknown>;

const CHANGE: Record<string, BuildTool> = { 'the conformance tests': conformanceBinary };

const NIGHT: Record<string, BuildTool> = {
  ...CHANGE,
  ...Object.fromEntries(
    (Object.keys(GO_PROGRAMS) as GoProgram[])
      .filter((name) => name !== 'docker-compose') // of the tests on containers alone
      .map((name) => [name, (signal: AbortSignal) => goProgram(name, signal)]),
  ),
  'helm and kubeconform': kubernetesTools,
  'the API server of Kubernetes and etcd': controlPlane,
  'crane and regctl': registryClients,
  BuildKit: buildkitPrograms,
};

/** @throws the signal's reason when aborted */
export function buildForTests(
  isNight: boolean,
  signal: AbortSignal,
  log: (text: string) => void,
): Promise<void> {
  return buildEach(isNight ? NIGHT : CHANGE, { signal, log });
}

interface Progress {
  signal: AbortSignal;
  log: (text: string) => void;
}

/**
 * Builds one after the other, since each uses all processors. One that can't be built is named, and
 * left to the tests that need it. @throws the signal's reason when aborted
 */
export async function buildEach(
  tools: Record<string, BuildTool>,
  { signal, log }: Progress,
): Promise<void> {
  for (const [name, build] of Object.entries(tools)) {
    const failure = await reportingProgress(name, () => build(signal), log).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    signal.throwIfAborted();
    if (failure !== undefined)
      log(`${name} can't be built, and the tests that need it will fail: ${failure}`);
  }
}

const PROGRESS_MS = 15_000;

/** What is in the cache is there at once, and nothing is said. */
async function reportingProgress(
  name: string,
  build: () => Promise<unknown>,
  log: Progress['log'],
): Promise<void> {
  const from = Date.now();
  const timer = setInterval(() => {
    log(`building ${name}, once: ${((Date.now() - from) / 1000).toFixed(0)} s`);
  }, PROGRESS_MS);
  await build().finally(() => clearInterval(timer));
}
