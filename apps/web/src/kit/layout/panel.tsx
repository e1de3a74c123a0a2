/** A framed section with a heading. */
import { Group, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './panel.module.css';

interface PanelProps {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  /** No padding, for tables. */
  flush?: boolean;
  /** None: the description says all. */
  children?: ReactNode;
}

export function Panel({ title, description, actions, flush = false, children }: PanelProps) {
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
      <div className={children ? (flush ? classes.flush : classes.body) : classes.none}>
        {children}
      </div>
    </section>
  );
}
