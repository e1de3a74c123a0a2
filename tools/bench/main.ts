/**
 * `npm run bench [-- runs [pulls|families|pushes]]`: our image copier against skopeo, crane and
 * regctl on the same registry, in turn. Prints a table for docs/benchmarks.md; a ratio below its
 * aim is marked. Needs about 16 GB of disk under TMPDIR and some minutes. `npm run bench quick`
 * takes less than three.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startRegistry } from '@portcullis/testing';
import { LAYER_KINDS, type LayerKind, pushImage, randomLayer } from './data.ts';
import { type Contender, compare, type Figures, ratio, run, summary } from './measure.ts';
import { openPeers } from './peers.ts';

const isQuick = process.argv[2] === 'quick';
const runs = isQuick ? 1 : Number(process.argv[2] ?? 5);
const kinds: readonly LayerKind[] = isQuick ? ['gzip'] : LAYER_KINDS;
const work = await mkdtemp(path.join(tmpdir(), 'portcullis-bench-'));
const registry = await startRegistry();
let elsewhere = await startRegistry();
const peers = await openPeers(registry.host);
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
const shell = (...lines: string[]) => ['sh', '-ec', lines.join('\n')];

/** At least as fast as each of the others. */
const AIM = 1;

const pullers = (repositories: readonly string[]): Contender[] =>
  peers.names.map((name) => ({
    name,
    argv: shell(peers.pull(name, dir(name), repositories)),
    reset: emptied(name),
  }));

async function row(work: string, ours: Contender, others: Contender[]): Promise<void> {
  const [mine, ...theirs] = await compare([ours, ...others], runs);
  if (!mine) return;
  const cells = theirs.map((other: Figures) => {
    const factor = ratio(mine, other);
    return `${other.name} ${summary(other)}: ${factor.toFixed(2)} ×${factor < AIM ? ' ⚠' : ''}`;
  });
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
    ...(!isQuick && { '2.15 GB in 4 layers': FOUR }),
  };
  for (const [nth, [size, ownLayers]] of Object.entries(sizes).entries()) {
    for (const kind of kinds) {
      const name = `bench-pull-${kind}-${nth}`;
      await pushImage(registry, name, { ownLayers, kind });
      await row(
        `cold pull, ${size}, ${kind}`,
        {
          name: 'ours',
          argv: script('pull.ts', registry.host, dir('ours'), name),
          reset: emptied('ours'),
        },
        pullers([name]),
      );
    }
  }
  await Promise.all(
    ['ours', ...peers.names].map((name) => rm(dir(name), { recursive: true, force: true })),
  );
}

/** Like a fleet of services: one base, and one unique layer each. */
async function families(): Promise<void> {
  for (const kind of kinds) await family(kind, `bench-family-${kind}`);
}

async function family(kind: LayerKind, name: string): Promise<void> {
  const base = await Promise.all(
    [42, 42, 42].map((mib) => randomLayer(registry, `${name}-base`, { mib, kind })),
  );
  const names = Array.from({ length: 20 }, (_, index) => `${name}-${index}`);
  for (const each of names)
    await pushImage(registry, each, { ownLayers: [32], kind, shared: base, from: `${name}-base` });
  const ours = script('pull.ts', registry.host, dir(name), ...names);
  const shared = shell(peers.sharedPull(dir('shared'), names));
  await row(
    `20 images of 158 MB that share 80 %, ${kind}, cold`,
    { name: 'ours', argv: ours, reset: emptied(name) },
    [...pullers(names), { name: 'skopeo, shared blobs', argv: shared, reset: emptied('shared') }],
  );
  await row('the same again, all present', { name: 'ours', argv: ours, reset: kept }, [
    ...pullers(names).map((each) => ({ ...each, reset: kept })),
    { name: 'skopeo, shared blobs', argv: shared, reset: kept },
  ]);
  await Promise.all(
    [name, ...peers.names, 'shared'].map((each) => rm(dir(each), { recursive: true, force: true })),
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
    const copy = peers.push(dir('ours'), 'bench-420', `${elsewhere.host}/${fresh()}`);
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
