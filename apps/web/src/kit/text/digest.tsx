import { CopyButton } from '../action/copy-button.tsx';
import classes from './digest.module.css';

/** A shortened digest with a button that copies all of it. */
export function Digest({ digest }: { digest: string }) {
  return (
    <span className={classes.digest}>
      <code title={digest}>{digest.slice(0, digest.indexOf(':') + 13)}</code>
      <CopyButton text={digest} />
    </span>
  );
}
