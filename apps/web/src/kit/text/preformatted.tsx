/** A text as a program wrote it, such as a log or JSON. It breaks long lines, and scrolls. */
import classes from './preformatted.module.css';

export function Preformatted({ children }: { children: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must get in
    <pre className={classes.text} tabIndex={0} lang="en">
      {children}
    </pre>
  );
}

interface LogProps {
  title: string;
  lines: readonly string[];
  /** Whether it is shown without a click. */
  open: boolean;
}

export function Log({ title, lines, open }: LogProps) {
  if (lines.length === 0) return null;
  return (
    <details className={classes.log} open={open}>
      <summary>{title}</summary>
      <Preformatted>{lines.join('\n')}</Preformatted>
    </details>
  );
}
