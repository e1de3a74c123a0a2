/** Links to the pages above the current one. */
import { Anchor } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Fragment } from 'react';
import { Link } from 'react-router';
import classes from './breadcrumbs.module.css';

interface BreadcrumbsProps {
  label: string;
  /** The outermost first. */
  parents: readonly { name: string; to: string }[];
}

export function Breadcrumbs({ label, parents }: BreadcrumbsProps) {
  return (
    <nav className={classes.crumbs} aria-label={label}>
      <IconArrowLeft size={14} aria-hidden="true" />
      {parents.map(({ name, to }, depth) => (
        <Fragment key={to}>
          {depth > 0 && <span aria-hidden="true">/</span>}
          <Anchor component={Link} to={to}>
            {name}
          </Anchor>
        </Fragment>
      ))}
    </nav>
  );
}
