/** Checks the patterns of an order: each once, within a bound, and in turns with other requests. */
import { setImmediate as pause } from 'node:timers/promises';
import type { TransferImage } from '@portcullis/contract';
import { matchFault, type PatternFault, patternSize } from '@portcullis/domain/tag-selection';
import type { OrderFault } from './order-fault.ts';

/** Of all distinct patterns of one order together; what people write has some dozen each. */
const MOST_INSTRUCTIONS_TOGETHER = 50_000;
/** To compile so many takes about ten milliseconds. */
const INSTRUCTIONS_AT_ONCE = 1_000;

/** @param isLookedAt whether the pattern of the image of this index is checked */
export async function patternFaults(
  images: readonly TransferImage[],
  isLookedAt: (index: number) => boolean,
): Promise<OrderFault[]> {
  const checked = new Map<string, PatternFault | null>();
  const faults: OrderFault[] = [];
  let left = MOST_INSTRUCTIONS_TOGETHER;
  let taken = 0;
  for (const [index, { tags }] of images.entries()) {
    if (!tags || !isLookedAt(index)) continue;
    const key = JSON.stringify(tags.match);
    if (!checked.has(key)) {
      const size = patternSize(tags.match);
      left -= size;
      taken += size;
      if (taken > INSTRUCTIONS_AT_ONCE) {
        await pause();
        taken = size;
      }
      checked.set(key, left < 0 ? TOO_MANY : matchFault(tags.match));
    }
    const fault = checked.get(key);
    if (fault) faults.push({ index, path: `images.${index}.tags.match`, denied: false, ...fault });
  }
  return faults;
}

const TOO_MANY: PatternFault = {
  code: 'PATTERN_TOO_COSTLY',
  params: { grammar: 'regex', at: '' },
  message: 'the patterns of the request make too many steps together',
};
