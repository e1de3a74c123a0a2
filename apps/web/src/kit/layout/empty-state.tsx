/** What a list or a page shows in place of nothing, with what to do next. */
import { Button, Stack, Text, Title } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';
import { useDocumentTitle } from './document-title.ts';
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
  useDocumentTitle(page ? title : null);
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

interface NoMatchProps {
  title: string;
  text?: string | undefined;
  /** The label of the button. */
  clear: string;
  onClear(): void;
}

/** The empty state of a list whose filter matches nothing. The button removes the filter. */
export function NoMatch({ title, text, clear, onClear }: NoMatchProps) {
  return (
    <EmptyState icon={IconFilterOff} title={title} text={text}>
      <Button variant="default" onClick={onClear}>
        {clear}
      </Button>
    </EmptyState>
  );
}
