/** The top of every page: its name, in the tab as well, and its main actions. */
import { Group, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

interface PageHeadProps {
  title: string;
  /** For the browser tab; the title by default. */
  documentTitle?: string;
  description?: ReactNode;
  children?: ReactNode;
}

export function PageHead({ title, documentTitle = title, description, children }: PageHeadProps) {
  useEffect(() => {
    document.title = `${documentTitle} · Portcullis`;
  }, [documentTitle]);
  return (
    <Group justify="space-between" align="flex-start" gap="sm" mb="md">
      <div>
        <Title order={1}>{title}</Title>
        {description && (
          <Text component="div" c="dimmed">
            {description}
          </Text>
        )}
      </div>
      {children && <Group gap="xs">{children}</Group>}
    </Group>
  );
}
