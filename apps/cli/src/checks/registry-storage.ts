/**
 * Checks what api and workers may do with the built-in registry's storage: read it, write it in
 * place, and link blobs of staged images into it.
 */
import { randomBytes } from 'node:crypto';
import { link, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { LEFT_TO_REGISTRY, OWN_ENTRY, storageUse } from '@portcullis/local-registry';
import { registryStorage } from '../registry-storage.ts';
import { type DoctorCheck, type DoctorFinding, ok, warn } from './finding.ts';

const ABOUT = 'registry storage';

export const checkRegistryStorage: DoctorCheck = async ({ config }) => {
  const { registryStorageDir: given, registryUrl, dataDir } = config;
  const isOutside = given === undefined && registryUrl !== undefined;
  const use = await storageUse(isOutside ? undefined : registryStorage(config));
  if (use === 'all') return [await linking(registryStorage(config), dataDir)];
  const text = LEFT_TO_REGISTRY[use];
  if (use === 'other-user')
    return [warn(ABOUT, text, 'Run api, workers and registry as one account.')];
  if (use === 'absent' && given !== undefined)
    return [warn(ABOUT, text, `Set REGISTRY_STORAGE to where it is mounted, not to ${given}.`)];
  return [ok(ABOUT, text)];
};

async function linking(dir: string, dataDir: string): Promise<DoctorFinding> {
  const name = `${OWN_ENTRY}doctor-${randomBytes(6).toString('hex')}`;
  const [source, target] = [path.join(dataDir, name), path.join(dir, `${name}.link`)];
  try {
    await (await open(source, 'wx', 0o600)).close();
    await link(source, target);
    return ok(ABOUT, `blobs of staged images are linked into ${dir}, and take no more room there`);
  } catch {
    const message = `DATA_DIR can't be linked into ${dir}: what a job pulled is written there once more`;
    return ok(ABOUT, message);
  } finally {
    await rm(source, { force: true });
    await rm(target, { force: true });
  }
}
