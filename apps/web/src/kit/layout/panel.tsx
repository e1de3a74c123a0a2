/** A framed section with a heading. */
import { Group, Text, Title } from '@mantine/core';
import { Fragment, type ReactNode, useId } from 'react';
import classes from './panel.module.css';

interface PanelProps {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  /** No padding, for tables. */
  flush?: boolean;
  /** In place of the content where there is nothing to show. */
  empty?: string | false | undefined;
  /** None: the description says all. */
  children?: ReactNode;
}

export function Panel(props: PanelProps) {
  const { title, description, actions, empty } = props;
  const children = empty ? <Text c="dimmed">{empty}</Text> : props.children;
  const isFlush = props.flush && !empty;
  const id = useId();
  return (
    <section className={classes.panel} aria-labelledby={id}>
      <Group justify="space-between" align="flex-start" gap="xs" className={classes.head ?? ''}>
        <div className={classes.name}>
          <Title order={2} size="h3" id={id}>
            {title}
          </Title>
          {description && (
            <Text component="div" size="sm" c="dimmed">
              {description}
            </Text>
          )}
        </div>
        {actions && (
          <Group gap="xs" className={classes.actions ?? ''}>
            {actions}
          </Group>
        )}
      </Group>
      <div className={children ? (isFlush ? classes.flush : classes.body) : classes.none}>
        {children}
      </div>
    </section>
  );
}

/** Names and values of one thing, in two columns. A fact without a value is not shown. */
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
