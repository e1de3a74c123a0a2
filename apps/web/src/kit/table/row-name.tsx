/** The name of a row. It leads to a page or opens something, and the whole row reacts to it. */
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import table from './table.module.css';

type RowNameProps = ({ to: string } | { onOpen(): void }) & {
  children: ReactNode;
  /** Badges behind the name. */
  beside?: ReactNode;
  /** In a line below. */
  under?: ReactNode;
};

export function RowName({ children, beside, under, ...act }: RowNameProps) {
  return (
    <>
      {'to' in act ? (
        <Link to={act.to} className={table.name}>
          {children}
        </Link>
      ) : (
        <button type="button" className={table.name} onClick={act.onOpen}>
          {children}
        </button>
      )}
      {beside && <> {beside}</>}
      {under && <span className={table.under}>{under}</span>}
    </>
  );
}
