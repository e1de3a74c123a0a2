import { Stack, Text, Title } from '@mantine/core';
import type { ComponentType, ReactNode } from 'react';
import classes from './empty-state.module.css';

interface EmptyStateProps {
  icon: ComponentType<{ size?: number; stroke?: number }>;
  title: string;
  /** What to do next. */
  text?: string | undefined;
  /** It is the only content of the page. */
  page?: boolean;
  children?: ReactNode;
}

export function EmptyState({ icon: Icon, title, text, page = false, children }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py={56} px="md" ta="center">
      <div className={classes.icon} aria-hidden="true">
        <Icon size={26} stroke={1.5} />
      </div>
      <Title order={page ? 1 : 2} size="h2">
        {title}
      </Title>
      {text && (
        <Text c="dimmed" maw={440}>
          {text}
        </Text>
      )}
      {children && (
        <Stack align="center" gap="sm" mt="sm">
          {children}
        </Stack>
      )}
    </Stack>
  );
}
