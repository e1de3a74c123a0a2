/** What a signed-in account sees: the frame with the pages, or first a password of its own. */
import { Splash } from '../kit/layout/splash.tsx';
import { loadedPart } from '../kit/loaded-part.tsx';
import { Shell } from '../shell/shell.tsx';

const ForcedPassword = loadedPart(
  async () => ({
    default: (await import('../pages/password/forced-password.tsx')).ForcedPassword,
  }),
  <Splash />,
);

export function SignedIn({ needsPassword }: { needsPassword: boolean }) {
  return needsPassword ? <ForcedPassword /> : <Shell />;
}
