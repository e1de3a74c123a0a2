/** The top of every page: its name, in the tab as well, and its main actions. */
import { Anchor, Group, Text, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import { loadedPart } from '../loaded-part.tsx';
import { isLongName, LongName } from '../text/long-name.tsx';
import { useDocumentTitle } from './document-title.ts';
import classes from './page-head.module.css';

/** Few pages have a name to copy. */
const CopyButton = loadedPart(async () => ({
  default: (await import('../action/copy-button.tsx')).CopyButton,
}));

interface PageHeadProps {
  title: string;
  /** For the browser tab; the title by default. */
  documentTitle?: string;
  description?: ReactNode;
  children?: ReactNode;
}

export function PageHead({ title, documentTitle = title, description, children }: PageHeadProps) {
  useDocumentTitle(documentTitle);
  return (
    <Group justify="space-between" align="flex-start" gap="sm" mb="md">
      <div className={classes.name}>
        <div className={classes.title}>
          <Title order={1}>
            <LongName>{title}</LongName>
          </Title>
          {isLongName(title) && <CopyButton text={title} />}
        </div>
        {description && (
          <Text component="div" c="dimmed">
            {description}
          </Text>
        )}
      </div>
      {children && (
        <Group gap="xs" className={classes.actions ?? ''}>
          {children}
        </Group>
      )}
    </Group>
  );
}

/** Links to the pages above the current one. */
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
