/** Names and values of one thing, in two columns. */
import { Fragment, type ReactNode } from 'react';
import classes from './fact-list.module.css';

/** A fact without a value is not shown. */
export type Fact = readonly [name: string, value: ReactNode];

export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={classes.facts}>
      {facts
        .filter(
          ([, value]) => value !== null && value !== undefined && value !== '' && value !== false,
        )
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
    </dl>
  );
}
