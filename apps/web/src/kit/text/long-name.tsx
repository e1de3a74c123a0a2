/** A name of any length in at most two lines; the whole name is its tooltip. */
import classes from './long-name.module.css';

/** Longer names may need more than two lines on a small phone. */
const LONG = 60;

export function isLongName(name: string): boolean {
  return name.length > LONG;
}

export function LongName({ children: name }: { children: string }) {
  return isLongName(name) ? (
    <span className={classes.name} title={name}>
      {name}
    </span>
  ) : (
    name
  );
}
