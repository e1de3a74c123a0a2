/** Lists the pods of a cluster and follows their changes, for as long as the agent runs. */
import type { PodRuns } from '@portcullis/domain/admission';
import type { KubePods } from './kube-pods.ts';
import type { RunningPods } from './running-pods.ts';

export interface FollowPorts {
  kube: KubePods;
  pods: RunningPods;
  /** Whether what is in memory is what runs now. */
  current(is: boolean): void;
  fault(error: unknown): void;
  /** @param failures in a row */
  pause(failures: number): Promise<void>;
}

interface Position {
  /** Null: the pods have to be listed. */
  version: string | null;
  /** In a row. */
  failures: number;
}

export async function followPods(ports: FollowPorts, isOver = () => false): Promise<void> {
  const { current, fault, pause } = ports;
  const at: Position = { version: null, failures: 0 };
  while (!isOver()) {
    try {
      at.version ??= await listPods(ports);
      if (at.version !== null) await watchPods(ports, at);
      // What expires again and again must not be asked for without a pause.
      if (at.version === null) at.failures += 1;
    } catch (error) {
      at.failures += 1;
      fault(error);
    } finally {
      current(false);
    }
    await pause(at.failures);
  }
}

/** Nothing changes before the whole list is there. Null: it changed while it was read. */
async function listPods({ kube, pods }: FollowPorts): Promise<string | null> {
  const all: PodRuns[] = [];
  let next: string | null = null;
  for (;;) {
    const page = await kube.page(next);
    if (page === null) return null;
    all.push(...page.pods);
    if (page.next === null) {
      pods.replace(all);
      return page.version;
    }
    next = page.next;
  }
}

/** A watch that ends goes on from the last version. */
async function watchPods({ kube, pods, current }: FollowPorts, at: Position): Promise<void> {
  if (at.version === null) return;
  for await (const event of kube.watch(at.version)) {
    if (event.kind === 'expired') {
      at.version = null;
      return;
    }
    current(true);
    if (event.kind === 'opened') continue;
    if (event.kind === 'pod') pods.put(event.pod);
    if (event.kind === 'gone') pods.remove(event.uid);
    at.version = event.version;
    at.failures = 0;
  }
}
