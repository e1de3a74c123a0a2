/**
 * `npm run bench [-- runs [pulls|families|pushes]]`: our image copier against skopeo on the same
 * registry, in the same run. Prints a table for docs/benchmarks.md. Needs about 12 GB of disk under
 * TMPDIR and some minutes.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startRegistry } from '@portcullis/testing';
import { LAYER_KINDS, type LayerKind, pushImage, randomLayer } from './data.ts';
import { type Contender, compare, type Figures, ratio, run, summary } from './measure.ts';

const runs = Number(process.argv[2] ?? 5);
const work = await mkdtemp(path.join(tmpdir(), 'portcullis-bench-'));
const registry = await startRegistry();
let elsewhere = await startRegistry();
const dir = (name: string) => path.join(work, name);
const script = (name: string, ...args: string[]) => [
  process.execPath,
  path.join(import.meta.dirname, name),
  ...args,
];

function emptied(name: string): () => Promise<void> {
  return async () => {
    await rm(dir(name), { recursive: true, force: true });
    await mkdir(dir(name), { recursive: true });
  };
}

const kept = async () => {};
const FOUR = [512, 512, 512, 512];
const skopeoPull = (to: string, repository: string, options: string[] = []) =>
  `skopeo copy --quiet --src-tls-verify=false ${options.join(' ')} docker://${registry.host}/${repository}:v1 oci:${to}/${repository}:v1`;
const shell = (...lines: string[]) => ['sh', '-ec', lines.join('\n')];

async function row(work: string, ours: Contender, others: Contender[]): Promise<void> {
  const [mine, ...theirs] = await compare([ours, ...others], runs);
  if (!mine) return;
  const cells = theirs.map(
    (other: Figures) => `${other.name} ${summary(other)}: ${ratio(mine, other).toFixed(2)} ×`,
  );
  const line = `| ${work} | ${summary(mine)} | ${cells.join('; ')} | ${mine.output} |`;
  process.stdout.write(`${line}\n`);
}

/**
 * Both kinds of layers: skopeo compresses an uncompressed one while it copies, which changes its
 * digest and takes time.
 */
async function pulls(): Promise<void> {
  const sizes = {
    '420 MB in 12 layers': Array.from({ length: 12 }, () => 35),
    '2.15 GB in 4 layers': FOUR,
  };
  for (const [nth, [size, ownLayers]] of Object.entries(sizes).entries()) {
    for (const kind of LAYER_KINDS) {
      const name = `bench-pull-${kind}-${nth}`;
      await pushImage(registry, name, { ownLayers, kind });
      await row(
        `cold pull, ${size}, ${kind}`,
        {
          name: 'ours',
          argv: script('pull.ts', registry.host, dir('ours'), name),
          reset: emptied('ours'),
        },
        [
          {
            name: 'skopeo',
            argv: shell(skopeoPull(dir('skopeo'), name)),
            reset: emptied('skopeo'),
          },
        ],
      );
    }
  }
  await Promise.all(
    ['ours', 'skopeo'].map((name) => rm(dir(name), { recursive: true, force: true })),
  );
}

/** Like a fleet of services: one base, and one unique layer each. */
async function families(): Promise<void> {
  for (const kind of LAYER_KINDS) await family(kind, `bench-family-${kind}`);
}

async function family(kind: LayerKind, name: string): Promise<void> {
  const base = await Promise.all(
    [42, 42, 42].map((mib) => randomLayer(registry, `${name}-base`, { mib, kind })),
  );
  const names = Array.from({ length: 20 }, (_, index) => `${name}-${index}`);
  for (const each of names)
    await pushImage(registry, each, { ownLayers: [32], kind, shared: base, from: `${name}-base` });
  const ours = script('pull.ts', registry.host, dir(name), ...names);
  const plain = shell(...names.map((each) => skopeoPull(dir('skopeo'), each)));
  const shared = shell(
    ...names.map((each) =>
      skopeoPull(dir('shared'), each, ['--dest-shared-blob-dir', dir('shared/blobs')]),
    ),
  );
  await row(
    `20 images of 158 MB that share 80 %, ${kind}, cold`,
    { name: 'ours', argv: ours, reset: emptied(name) },
    [
      { name: 'skopeo', argv: plain, reset: emptied('skopeo') },
      { name: 'skopeo, shared blobs', argv: shared, reset: emptied('shared') },
    ],
  );
  await row('the same again, all present', { name: 'ours', argv: ours, reset: kept }, [
    { name: 'skopeo', argv: plain, reset: kept },
    { name: 'skopeo, shared blobs', argv: shared, reset: kept },
  ]);
  await Promise.all(
    [name, 'skopeo', 'shared'].map((each) => rm(dir(each), { recursive: true, force: true })),
  );
}

async function pushes(): Promise<void> {
  const layers = Array.from({ length: 12 }, () => 35);
  await pushImage(registry, 'bench-420', { ownLayers: layers, kind: 'gzip' });
  await emptied('ours')();
  await run(script('pull.ts', registry.host, dir('ours'), 'bench-420'));
  let nth = 0;
  const fresh = () => {
    nth += 1;
    return `bench-push-${nth}`;
  };
  const ours: Contender = { name: 'ours', argv: [], reset: emptyTarget };
  const skopeo: Contender = { name: 'skopeo', argv: [], reset: emptyTarget };
  async function emptyTarget(): Promise<void> {
    await elsewhere.stop();
    elsewhere = await startRegistry();
    ours.argv.splice(
      0,
      Infinity,
      ...script('push.ts', elsewhere.host, dir('ours'), 'bench-420', fresh()),
    );
    const to = `docker://${elsewhere.host}/${fresh()}:v1`;
    const copy = `skopeo copy --quiet --dest-tls-verify=false oci:${dir('ours')}/staging/bench-420:v1 ${to}`;
    skopeo.argv.splice(0, Infinity, ...shell(copy));
  }
  await row('push, layout to an empty registry, 420 MB', ours, [skopeo]);
  const mounted: Contender = { name: 'ours', argv: [], reset: nextRepository };
  async function nextRepository(): Promise<void> {
    mounted.argv.splice(
      0,
      Infinity,
      ...script('push.ts', registry.host, dir('ours'), 'bench-420', fresh(), 'bench-420'),
    );
  }
  await row('push, the registry has the layers elsewhere', mounted, []);
}

try {
  process.stdout.write('| work | ours | against | note |\n|---|---|---|---|\n');
  const parts = { pulls, families, pushes };
  const only = process.argv[3];
  for (const [name, part] of Object.entries(parts))
    if (only === undefined || only === name) await part();
} finally {
  await registry.stop();
  await elsewhere.stop();
  await rm(work, { recursive: true, force: true });
}
