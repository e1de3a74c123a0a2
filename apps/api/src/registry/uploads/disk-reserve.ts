/** Refuses uploads that would leave less than the disk reserve free on the registry's disk. */
import type { IncomingMessage } from 'node:http';
import { type DiskSpace, isShort, lacksSpace } from '@portcullis/runtime';
import { lengthOf } from '../headers.ts';

const LOOK_EVERY_MS = 1_000;

/** @throws as `lacksSpace`; a body that exceeds the space while it arrives is cut off */
export async function withinReserve<T>(
  disk: DiskSpace | null,
  request: IncomingMessage,
  receive: () => Promise<T>,
): Promise<T> {
  if (!disk) return receive();
  const announced = lengthOf(request.headers) ?? 0;
  const space = await disk.look();
  if (isShort({ ...space, free: space.free - announced })) throw lacksSpace(space, announced);
  const look = async () => {
    const now = await disk.look();
    if (isShort(now)) request.destroy(lacksSpace(now));
  };
  const timer = setInterval(() => void look().catch(() => {}), LOOK_EVERY_MS);
  try {
    return await receive();
  } finally {
    clearInterval(timer);
  }
}
