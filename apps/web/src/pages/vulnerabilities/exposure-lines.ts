/** The lines of the exposure to a vulnerability, the most urgent first. */
import type { VulnerabilityDetail } from '@portcullis/contract';

type Place = VulnerabilityDetail['exposure']['places'][number];

/** Why a blocked image is served. */
const SERVED = ['off', 'report', 'grace'] as const;
type Served = (typeof SERVED)[number];

export interface ExposureLine {
  is: 'served' | 'bypassed' | 'refused' | 'waived' | 'passing' | 'unjudged' | 'staged';
  images: number;
  tags: number;
  because: { state: Served; images: number }[];
}

const STATES = ['refused', 'waived', 'passing', 'unjudged'] as const;

/** What is served although it is blocked has a line in any case: that there is none is news. */
export function exposureLines({ places, staged }: VulnerabilityDetail['exposure']): ExposureLine[] {
  const of = (state: Place['state']) => places.find((place) => place.state === state);
  const because = SERVED.flatMap((state) => {
    const images = of(state)?.images ?? 0;
    return images > 0 ? [{ state, images }] : [];
  });
  const served = SERVED.map(of);
  const sum = (field: 'images' | 'tags') =>
    served.reduce((all, place) => all + (place?.[field] ?? 0), 0);
  const bypassed = places.reduce((all, place) => all + place.bypassed, 0);
  const lines: ExposureLine[] = [
    { is: 'served', images: sum('images'), tags: sum('tags'), because },
    ...only('bypassed', bypassed),
    ...STATES.flatMap((is) => {
      const { images = 0, tags = 0 } = of(is) ?? {};
      return images > 0 ? [{ is, images, tags, because: [] }] : [];
    }),
  ];
  return [...lines, ...only('staged', staged)];
}

/** A line of images whose tags are not counted. */
function only(is: 'bypassed' | 'staged', images: number): ExposureLine[] {
  return images > 0 ? [{ is, images, tags: 0, because: [] }] : [];
}
