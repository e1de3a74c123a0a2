/** Builds Go programs from the modules in tools/go, whose go.sum pins every byte. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fillOnce } from '@portcullis/embedded';
import { testCacheDir } from '../config.ts';
import { go } from './go.ts';

const MODULES = join(import.meta.dirname, '../../../../tools/go');

interface GoSource {
  /** The program's package; by default the module's main.go. */
  source?: string;
  /** Build constraints that hold. */
  tags?: readonly string[];
}

/** By their modules. */
export const GO_PROGRAMS = {
  compose: {},
  traefik: {},
  s3: { source: 'github.com/versity/versitygw/cmd/versitygw' },
  olareg: { source: 'github.com/olareg/olareg/cmd/olareg' },
  'ggcr-registry': { source: 'github.com/google/go-containerregistry/cmd/registry' },
  zot: {
    source: 'zotregistry.io/zot/cmd/zot',
    // Without libraries in C: no GnuPG, no storage drivers of containers.
    tags: [
      'containers_image_openpgp',
      'exclude_graphdriver_btrfs',
      'exclude_graphdriver_devicemapper',
    ],
  },
  'docker-compose': { source: 'github.com/docker/compose/v2/cmd' },
} as const satisfies Record<string, GoSource>;

export type GoProgram = keyof typeof GO_PROGRAMS;

/** @returns its path. @throws unavailable `TOOL_FAILED` */
export async function goProgram(name: GoProgram): Promise<string> {
  const { source = '.', tags = [] }: GoSource = GO_PROGRAMS[name];
  const pins = ['go.sum', ...(source === '.' ? ['main.go'] : [])];
  const dir = await buildOnce(name, pins, async (draft, module) => {
    const constraints = tags.length > 0 ? ['-tags', tags.join(',')] : [];
    const out = ['-o', join(draft, name)];
    await go(['build', '-trimpath', ...constraints, ...out, source], { cwd: module });
  });
  return join(dir, name);
}

/** Fills a directory of the cache once for each content of the module's `pins`. */
export async function buildOnce(
  name: string,
  pins: readonly string[],
  build: (draft: string, module: string) => Promise<void>,
): Promise<string> {
  const module = join(MODULES, name);
  const files = await Promise.all(pins.map((file) => readFile(join(module, file), 'utf8')));
  const mark = createHash('sha256').update(files.join('')).digest('hex').slice(0, 12);
  const dir = join(testCacheDir, name, mark);
  await fillOnce(dir, (draft) => build(draft, module));
  return dir;
}
