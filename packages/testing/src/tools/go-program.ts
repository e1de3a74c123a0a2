/** Builds Go programs from the modules in tools/go, whose go.sum pins every byte. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fillOnce } from '@portcullis/embedded';
import { testCacheDir } from '../config.ts';
import { type GoCall, go } from './go.ts';

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
  'cosign-2': { source: 'github.com/sigstore/cosign/v2/cmd/cosign' },
  'cosign-3': { source: 'github.com/sigstore/cosign/v3/cmd/cosign' },
  kyverno: { source: 'github.com/kyverno/kyverno/cmd/cli/kubectl-kyverno' },
  'policy-tester': { source: 'github.com/sigstore/policy-controller/cmd/tester' },
  notation: { source: 'github.com/notaryproject/notation/cmd/notation' },
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
export async function goProgram(name: GoProgram, signal?: AbortSignal): Promise<string> {
  const { source = '.', tags = [] }: GoSource = GO_PROGRAMS[name];
  const pins = ['go.sum', ...(source === '.' ? ['main.go'] : [])];
  const constraints = tags.length > 0 ? ['-tags', tags.join(',')] : [];
  const build = ({ draft, at }: Build) =>
    go(['build', '-trimpath', ...constraints, '-o', join(draft, name), source], at);
  return join(await buildOnce({ name, pins, build, signal }), name);
}

export interface Build {
  /** The folder that is filled. */
  draft: string;
  /** How Go is called in the folder of the module. */
  at: GoCall;
}

interface BuildOptions {
  name: string;
  /** The files of the module whose content decides. */
  pins: readonly string[];
  build: (build: Build) => Promise<unknown>;
  signal: AbortSignal | undefined;
}

/** Fills a folder of the cache once for each content of the module's `pins`, and returns it. */
export async function buildOnce({ name, pins, build, signal }: BuildOptions): Promise<string> {
  const module = join(MODULES, name);
  const files = await Promise.all(pins.map((file) => readFile(join(module, file), 'utf8')));
  const mark = createHash('sha256').update(files.join('')).digest('hex').slice(0, 12);
  const dir = join(testCacheDir, name, mark);
  const fill = async (draft: string) => void (await build({ draft, at: { cwd: module, signal } }));
  await fillOnce(dir, fill, { signal });
  return dir;
}
