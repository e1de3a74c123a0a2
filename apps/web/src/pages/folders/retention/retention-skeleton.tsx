/** Takes the place of the retention panel while it loads. */
import { Skeleton } from '@mantine/core';

const HEIGHT = 140;

export function RetentionSkeleton() {
  return <Skeleton height={HEIGHT} radius="md" aria-busy="true" />;
}
