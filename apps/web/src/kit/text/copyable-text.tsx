/** A text in a frame with a button that copies it: a token, a command, an address. */
import { CopyButton } from '../action/copy-button.tsx';
import classes from './copyable-text.module.css';

interface CopyableTextProps {
  text: string;
  /** Of the button. */
  label: string;
}

export function CopyableText({ text, label }: CopyableTextProps) {
  return (
    <div className={classes.frame}>
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </div>
  );
}
