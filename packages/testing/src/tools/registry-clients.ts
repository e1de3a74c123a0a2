/** crane and regctl, built from tools/go/clients. */
import { join } from 'node:path';
import { go } from './go.ts';
import { type Build, buildOnce } from './go-program.ts';

const COMMANDS = [
  'github.com/google/go-containerregistry/cmd/crane',
  'github.com/regclient/regclient/cmd/regctl',
];

export interface RegistryClients {
  crane: string;
  regctl: string;
}

export async function registryClients(signal?: AbortSignal): Promise<RegistryClients> {
  const build = ({ draft, at }: Build) =>
    go(['build', '-trimpath', '-o', `${draft}/`, ...COMMANDS], at);
  const dir = await buildOnce({ name: 'clients', pins: ['go.sum'], build, signal });
  return { crane: join(dir, 'crane'), regctl: join(dir, 'regctl') };
}
