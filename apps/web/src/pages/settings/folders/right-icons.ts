import { IconArrowDown, IconArrowUp, IconCloudDown, IconCloudUp } from '@tabler/icons-react';
import type { FolderRight } from './rights.ts';

export const RIGHT_ICONS = {
  can_pull: IconArrowDown,
  can_push: IconArrowUp,
  can_pull_external: IconCloudDown,
  can_push_external: IconCloudUp,
} as const satisfies Record<FolderRight, typeof IconArrowDown>;
