/** What a signed-in account sees: the frame with the pages, or first a password of its own. */
import { ForcedPassword } from '../pages/password/forced-password.tsx';
import { Shell } from '../shell/shell.tsx';

export function SignedIn({ needsPassword }: { needsPassword: boolean }) {
  return needsPassword ? <ForcedPassword /> : <Shell />;
}
