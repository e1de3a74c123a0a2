/** Pushes of a layout to an empty registry, and of a staged job to the local registry. */
import path from 'node:path';
import type { AimId } from '../aims.ts';
import { pushImage } from '../data.ts';
import type { Cost } from '../figures.ts';
import { costed } from '../measure.ts';
import { startEnd, trusting } from './ends.ts';
import { PEERS } from './peers.ts';
import { type RunningWorker, startRunningWorker } from './running-worker.ts';
import {
  MIB_420,
  MIB_2150,
  ourPull,
  ownRow,
  pulledIn,
  row,
  type Setting,
  script,
} from './setting.ts';

export async function pushes(setting: Setting): Promise<void> {
  const name = 'bench-pushed';
  await pushImage(setting.plain, name, { ownLayers: MIB_420 });
  const { reset, run } = ourPull(setting, {
    from: setting.plain,
    repositories: [name],
    isCold: true,
  });
  await reset();
  await run();
  if (!setting.isQuick) await push(setting, 'push420', name);
  await push(setting, 'push420Tls', name);
}

async function push(setting: Setting, id: AimId, name: string): Promise<void> {
  const { work, peers } = setting;
  const ours = path.join(pulledIn(work), 'ours');
  const layout = path.join(ours, 'staging', name);
  const start = () => startEnd(work, { tls: id === 'push420Tls' });
  let target = await start();
  const reset = async () => {
    await target.stop();
    target = await start();
  };
  const push = () => trusting(target, script('push.ts', target.url, ours, name, name));
  try {
    await row(setting, id, [
      { reset, run: () => costed(push()) },
      ...PEERS.map((peer) => ({
        reset,
        run: () => costed(peers[peer].push(layout, target, name)),
      })),
    ]);
  } finally {
    await target.stop();
  }
}

export async function stagedPushes(setting: Setting): Promise<void> {
  await using worker = await startRunningWorker(setting.plain);
  const measurePush = (id: AimId, layers: readonly number[], runs: number) =>
    pushedFresh(setting, worker, { prefix: id.toLowerCase(), layers, runs });
  ownRow(setting, 'staged420', await measurePush('staged420', MIB_420, setting.rounds.runs));
  // Each run takes 6 GB of disk.
  if (!setting.isQuick) ownRow(setting, 'staged2150', await measurePush('staged2150', MIB_2150, 1));
}

/** Each run pushes another image, which the local registry does not have. */
async function pushedFresh(
  { plain }: Setting,
  worker: RunningWorker,
  { prefix, layers, runs }: { prefix: string; layers: readonly number[]; runs: number },
): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (let nth = 0; nth < runs; nth += 1) {
    const name = `bench-${prefix}-${nth}`;
    await pushImage(plain, name, { ownLayers: layers });
    const { jobId } = await worker.pull(name);
    costs.push(await worker.push(jobId, `bench/${name}`));
  }
  return costs;
}
