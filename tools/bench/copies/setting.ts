/** What all rows about copies share: the source, the peers, a directory, and the results. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startRegistry, type TestRegistry } from '@portcullis/testing';
import { AIMS, type AimId, type Measured, marked } from '../aims.ts';
import { type Cost, compareRow, median, summary } from '../figures.ts';
import { type Contender, compare, costed, type Rounds } from '../measure.ts';
import { type End, startEnd, trusting } from './ends.ts';
import { openPeers, PEERS, type Peer, type PeerName } from './peers.ts';

export interface Setting extends AsyncDisposable {
  rounds: Rounds;
  isQuick: boolean;
  work: string;
  plain: TestRegistry;
  /** The same images as `plain`. */
  tls: End;
  peers: Record<PeerName, Peer>;
  measured: Measured;
}

export async function openSetting(rounds: Rounds, isQuick: boolean): Promise<Setting> {
  // What was started ends, too, where a later part fails.
  await using started = new AsyncDisposableStack();
  const work = await mkdtemp(path.join(tmpdir(), 'portcullis-bench-'));
  started.defer(() => rm(work, { recursive: true, force: true }));
  const plain = started.use(await startRegistry());
  const tls = await startEnd(work, { tls: true, storageDir: plain.storageDir });
  started.defer(() => tls.stop());
  const peers = await openPeers();
  const parts = started.move();
  return {
    rounds,
    isQuick,
    work,
    plain,
    tls,
    peers,
    measured: new Map(),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** Measures in turn, prints the row, and keeps the ratio to the fastest peer. */
export async function row(
  { rounds, measured }: Setting,
  id: AimId,
  [ours, ...peers]: [Contender, ...Contender[]],
): Promise<void> {
  const [mine = [], ...theirs] = await compare([ours, ...peers], rounds);
  const { cells, least } = compareRow(AIMS[id], mine, theirs);
  print(id, cells);
  measured.set(id, least);
}

/** Of work that no peer does. */
export function ownRow({ measured }: Setting, id: AimId, costs: readonly Cost[]): void {
  const seconds = median(costs.map((each) => each.seconds));
  print(id, [`${summary(costs)}: **${marked(AIMS[id], seconds)}**`, ...PEERS.map(() => '–')]);
  measured.set(id, seconds);
}

function print(id: AimId, cells: readonly string[]): void {
  process.stdout.write(`| ${[AIMS[id].work, ...cells].join(' | ')} |\n`);
}

export const pulledIn = (work: string) => path.join(work, 'pulled');

export interface PullOptions {
  from: End;
  repositories: readonly string[];
  /** Into an empty directory. */
  isCold: boolean;
  /** Peers end when their bytes are on the disk. */
  isSynced?: boolean;
}

export function ourPull({ work }: Setting, { from, repositories, isCold }: PullOptions): Contender {
  const dir = path.join(pulledIn(work), 'ours');
  const argv = script('pull.ts', from.url, dir, ...repositories);
  return { reset: resetOf(work, dir, isCold), run: () => costed(trusting(from, argv)) };
}

export function peerPulls({ work, peers }: Setting, options: PullOptions): Contender[] {
  return PEERS.map((name) => {
    const dir = path.join(pulledIn(work), name);
    const argv = peers[name].pull(options.from, dir, options.repositories);
    const whole = options.isSynced ? ['sh', '-ec', '"$@"; sync', 'sh', ...argv] : argv;
    return { reset: resetOf(work, dir, options.isCold), run: () => costed(whole) };
  });
}

function resetOf(work: string, dir: string, isCold: boolean): () => Promise<void> {
  return async () => {
    if (isCold) await removePulled(work);
    await mkdir(dir, { recursive: true });
  };
}

/** All that was pulled, by others as well: the kernel would still write it to the disk. */
export function removePulled(work: string): Promise<void> {
  return rm(pulledIn(work), { recursive: true, force: true });
}

export function script(name: string, ...args: string[]): string[] {
  return [process.execPath, path.join(import.meta.dirname, name), ...args];
}

export const MIB_420: readonly number[] = Array.from({ length: 12 }, () => 35);
export const MIB_2150: readonly number[] = Array.from({ length: 4 }, () => 512);
