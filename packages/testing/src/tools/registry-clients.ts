/** crane and regctl, built from tools/go/clients. */
import { join } from 'node:path';
import { go } from './go.ts';
import { buildOnce } from './go-program.ts';

const COMMANDS = [
  'github.com/google/go-containerregistry/cmd/crane',
  'github.com/regclient/regclient/cmd/regctl',
];

/** Time limit of the first build; later ones use the cache. */
export const REGISTRY_CLIENTS_BUILD_MS = 15 * 60 * 1000;

export interface RegistryClients {
  crane: string;
  regctl: string;
}

export async function registryClients(): Promise<RegistryClients> {
  const dir = await buildOnce('clients', ['go.sum'], async (draft, module) => {
    await go(['build', '-trimpath', '-o', `${draft}/`, ...COMMANDS], { cwd: module });
  });
  return { crane: join(dir, 'crane'), regctl: join(dir, 'regctl') };
}
