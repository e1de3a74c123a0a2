/** Takes the place of the mirror panel while it loads. */
import { Skeleton } from '@mantine/core';

export function MirrorSkeleton({ isMirror }: { isMirror: boolean }) {
  return <Skeleton height={isMirror ? 250 : 150} radius="md" aria-busy="true" />;
}
