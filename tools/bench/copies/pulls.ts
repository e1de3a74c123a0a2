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

export async function pulls(setting: Setting): Promise<void> {
  await pushImage(setting.plain, 'bench-420', { ownLayers: MIB_420 });
  await pull(setting, 'bench-420', ['pull420', 'pull420Tls', 'pull420Worker']);
  if (setting.isQuick) return;
  await pushImage(setting.plain, 'bench-2150', { ownLayers: MIB_2150 });
  await pull(setting, 'bench-2150', ['pull2150', 'pull2150Tls', 'pull2150Worker']);
}

async function pull(
  setting: Setting,
  name: string,
  [plain, tls, running]: [AimId, AimId, AimId],
): Promise<void> {
  const wanted = { repositories: [name], isCold: true };
  for (const [id, from] of [
    [plain, setting.plain],
    [tls, setting.tls],
  ] as const) {
    if (setting.isQuick && id === plain) continue;
    const options = { ...wanted, from };
    await row(setting, id, [ourPull(setting, options), ...peerPulls(setting, options)]);
  }
  await using worker = await startRunningWorker(setting.tls);
  const reset = async () => {
    await removePulled(setting.work);
    await worker.forget();
  };
  const ours = { reset, run: () => worker.pull(name) };
  await ours.run(); // Its code is compiled while it runs.
  await row(setting, running, [ours, ...peerPulls(setting, { ...wanted, from: setting.tls })]);
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
