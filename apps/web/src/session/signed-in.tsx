/** What a signed-in account sees: the frame with the pages, or first a password of its own. */
import { lazy } from 'react';
import { Shell } from '../shell/shell.tsx';

const ForcedPassword = lazy(async () => ({
  default: (await import('../pages/password/forced-password.tsx')).ForcedPassword,
}));

export function SignedIn({ needsPassword }: { needsPassword: boolean }) {
  return needsPassword ? <ForcedPassword /> : <Shell />;
}
