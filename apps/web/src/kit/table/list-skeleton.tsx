import { Skeleton, Stack } from '@mantine/core';

export function ListSkeleton({
  rows = 6,
  height = 42,
}: {
  rows?: number;
  height?: number | string;
}) {
  return (
    <Stack gap={6} aria-busy="true">
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <Skeleton key={row} height={height} radius="md" />
      ))}
    </Stack>
  );
}
