import classes from './progress-bar.module.css';

/** `share` is null while the total is unknown. */
export function ProgressBar({ share, label }: { share: number | null; label: string }) {
  return (
    <div
      className={classes.bar}
      role="progressbar"
      aria-label={label}
      {...(share !== null && {
        'aria-valuenow': Math.round(share * 100),
        'aria-valuemin': 0,
        'aria-valuemax': 100,
      })}
    >
      <div
        className={classes.fill}
        data-unknown={share === null || undefined}
        style={share === null ? {} : { width: `${Math.min(1, share) * 100}%` }}
      />
    </div>
  );
}
