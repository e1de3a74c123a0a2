import { Skeleton } from '@mantine/core';

/** As high as a title, a line and a button. */
export const INSTEAD_SKELETON = <Skeleton height={75} radius="sm" />;
