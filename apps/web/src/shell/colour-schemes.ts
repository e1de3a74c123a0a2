import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';

export const SCHEMES = [
  ['light', IconSun],
  ['dark', IconMoon],
  ['auto', IconDeviceDesktop],
] as const;
