/** Which layers two images share. */
export interface ComparableLayer {
  digest: string;
  size: number;
  /** The build step; null where the image does not tell. */
  createdBy: string | null;
}

export interface LayerComparison<T extends ComparableLayer = ComparableLayer> {
  /** In the order of the images. */
  shared: T[];
  /** Layers of the first image alone. */
  from: T[];
  /** Layers of the second image alone. */
  to: T[];
}

/** A layer that an image has twice counts once. */
export function compareLayers<T extends ComparableLayer>(
  from: readonly T[],
  to: readonly T[],
): LayerComparison<T> {
  const [before, after] = [distinctLayers(from), distinctLayers(to)];
  const only = (layers: Map<string, T>, others: Map<string, T>) =>
    [...layers.values()].filter(({ digest }) => !others.has(digest));
  return {
    shared: [...after.values()].filter(({ digest }) => before.has(digest)),
    from: only(before, after),
    to: only(after, before),
  };
}

function distinctLayers<T extends ComparableLayer>(layers: readonly T[]): Map<string, T> {
  return new Map(layers.map((layer) => [layer.digest, layer]));
}
