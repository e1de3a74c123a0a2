/** Applies the layers of an image: which files of packages and release files remain. */
import { setImmediate } from 'node:timers/promises';
import { isHidden } from '../layers/layer-paths.ts';
import type { Expected, Mark } from './file-content.ts';
import type { LayerFiles } from './file-search.ts';
import type { ReleaseFile } from './os-names.ts';

export interface SurvivingFile extends Expected {
  /** The layers in which it says what the last one says, by `diff_id`. */
  layers: string[];
}

export interface ImageFiles {
  files: SurvivingFile[];
  releases: ReleaseFile[];
  /** Layers of which not all files are known, by the registry's digests. */
  incomplete: string[];
}

export interface LayerApplier {
  /** From the base layer up. */
  apply(layer: LayerFiles, names: { diffId: string; name: string }): Promise<void>;
  found(): ImageFiles;
}

interface Known {
  expected: Expected;
  isRemoved: boolean;
  /** What the path said in each layer that has it. */
  said: [mark: Mark, diffId: string][];
}

/** Of all layers together. */
const MAX_FILES = 100_000;
/** So many paths are compared before other work of the process goes on. */
const AT_ONCE = 2_000;

export function applyFiles(): LayerApplier {
  const known = new Map<string, Known>();
  const releases = new Map<string, ReleaseFile>();
  const incomplete: string[] = [];

  async function remove(hidden: ReadonlySet<string>): Promise<void> {
    for (const path of [...releases.keys()]) if (isHidden(path, hidden)) releases.delete(path);
    let count = 0;
    for (const [path, file] of known) {
      file.isRemoved ||= isHidden(path, hidden);
      count += 1;
      if (count % AT_ONCE === 0) await setImmediate();
    }
  }

  function add(expected: Expected, diffId: string): boolean {
    const { path, mark } = expected;
    const before = known.get(path);
    if (!before && known.size >= MAX_FILES) return false;
    known.set(path, {
      expected,
      isRemoved: false,
      said: [...(before?.said ?? []), [mark, diffId]],
    });
    return true;
  }

  return {
    async apply(layer, { diffId, name }) {
      if (layer.hidden.length > 0) await remove(new Set(layer.hidden));
      for (const file of layer.releases) releases.set(file.path, file);
      let isWhole = layer.isComplete;
      for (const [at, each] of unflattened(layer.expected).entries()) {
        isWhole = add(each, diffId) && isWhole;
        if (at % AT_ONCE === AT_ONCE - 1) await setImmediate();
      }
      if (!isWhole) incomplete.push(name);
    },
    found: () => ({
      files: [...known.values()].flatMap(({ expected, isRemoved, said }) => {
        const layers = said.flatMap(([mark, diffId]) => (mark === expected.mark ? diffId : []));
        return isRemoved
          ? []
          : [{ ...expected, layers: expected.mark === 'own' ? layers.slice(-1) : layers }];
      }),
      releases: [...releases.values()],
      incomplete,
    }),
  };
}

function unflattened(flat: readonly string[]): Expected[] {
  return Array.from({ length: Math.floor(flat.length / 3) }, (_, at) => {
    const [kind, mark, path] = flat.slice(at * 3, at * 3 + 3) as [Expected['kind'], Mark, string];
    return { kind, mark, path };
  });
}
