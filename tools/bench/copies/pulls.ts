/** Cold pulls by new processes and by a running worker; and images that share layers. */
import type { AimId } from '../aims.ts';
import { pushImage, randomLayer } from '../data.ts';
import type { End } from './ends.ts';
import { startRunningWorker } from './running-worker.ts';
import {
  MIB_420,
  MIB_2150,
  ourPull,
  peerPulls,
  removePulled,
  row,
  type Setting,
} from './setting.ts';

interface PullAims {
  ofProcess: AimId;
  ofWorker: AimId;
  /** Of a worker, with peers that end as late as their bytes are on the disk. */
  ofSynced?: AimId;
}

interface PulledImage {
  name: string;
  ownLayers: readonly number[];
  plain: PullAims;
  tls: PullAims;
}

const SMALL: PulledImage = {
  name: 'bench-420',
  ownLayers: MIB_420,
  plain: { ofProcess: 'pull420', ofWorker: 'pull420Worker', ofSynced: 'pull420Synced' },
  tls: { ofProcess: 'pull420Tls', ofWorker: 'pull420TlsWorker' },
};
const LARGE: PulledImage = {
  name: 'bench-2150',
  ownLayers: MIB_2150,
  plain: { ofProcess: 'pull2150', ofWorker: 'pull2150Worker', ofSynced: 'pull2150Synced' },
  tls: { ofProcess: 'pull2150Tls', ofWorker: 'pull2150TlsWorker' },
};

export async function pulls(setting: Setting): Promise<void> {
  for (const { name, ownLayers, plain, tls } of setting.isQuick ? [SMALL] : [SMALL, LARGE]) {
    await pushImage(setting.plain, name, { ownLayers });
    if (!setting.isQuick) await pull(setting, setting.plain, name, plain);
    await pull(setting, setting.tls, name, tls);
  }
}

async function pull(setting: Setting, from: End, name: string, aims: PullAims): Promise<void> {
  const options = { from, repositories: [name], isCold: true };
  const peers = peerPulls(setting, options);
  await row(setting, aims.ofProcess, [ourPull(setting, options), ...peers]);
  await using worker = await startRunningWorker(from);
  const reset = async () => {
    await removePulled(setting.work);
    await worker.forget();
  };
  const ours = { reset, run: () => worker.pull(name) };
  await ours.run(); // Its code is compiled while it runs.
  await row(setting, aims.ofWorker, [ours, ...peers]);
  if (aims.ofSynced === undefined) return;
  const synced = peerPulls(setting, { ...options, isSynced: true });
  await row(setting, aims.ofSynced, [ours, ...synced]);
}

/** Like a fleet of services: one base, and one layer of each. */
export async function families(setting: Setting): Promise<void> {
  const base = await Promise.all(
    [42, 42, 42].map((mib) => randomLayer(setting.plain, 'bench-base', mib)),
  );
  const names = Array.from({ length: 20 }, (_, nth) => `bench-family-${nth}`);
  for (const each of names)
    await pushImage(setting.plain, each, { ownLayers: [32], shared: base, from: 'bench-base' });
  if (!setting.isQuick) await family(setting, setting.plain, ['shared', 'sharedAgain'], names);
  await family(setting, setting.tls, ['sharedTls', 'sharedTlsAgain'], names);
}

async function family(
  setting: Setting,
  from: End,
  [cold, again]: [AimId, AimId],
  repositories: string[],
): Promise<void> {
  for (const id of setting.isQuick ? [cold] : [cold, again]) {
    const options = { from, repositories, isCold: id === cold };
    await row(setting, id, [ourPull(setting, options), ...peerPulls(setting, options)]);
  }
}
