import { CopyButton } from '../action/copy-button.tsx';
import classes from './digest.module.css';

/** Its beginning, which people compare, and the whole of it to copy. */
export function Digest({ digest }: { digest: string }) {
  return (
    <span className={classes.digest}>
      <code title={digest}>{digest.slice(0, digest.indexOf(':') + 13)}</code>
      <CopyButton text={digest} />
    </span>
  );
}
